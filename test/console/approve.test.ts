import type { Page } from 'playwright-core';
import t from 'tap';
import type { Engagement } from '../../src/model/engagement.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { must } from '../support/daemon/alerts.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { Threatened } from '../support/daemon/threatened_site.ts';
import { PASSWORD } from '../support/http/person.ts';
import { Cable, noBrowser, openPage } from './support/browser.ts';
import { hold, press, requestsTo, signIn, stopTimers } from './support/hand.ts';

takeTime(t, 300);

const TASK = '/engagement/task';
/** The card of the intruder. A vehicle of ours whose contact was lost for a moment on a busy machine has a card too. */
const card = (page: Page) => page.locator('.approval', { hasText: 'shadow' });
const approve = (page: Page) => page.locator('.approval .plan', { hasText: 'shadow' }).locator('.hold.approve');
/** The hash that is shown of the plan, its first 8 characters. */
const shownHash = (page: Page) => page.locator('.approval .plan', { hasText: 'shadow' }).locator('code');
const reason = (page: Page, text: string) => page.locator('.approval .reason', { hasText: text });

/** A console at the plan about the threat, with its clock in the hand of the test. */
async function openApprovals(t: Parameters<typeof openPage>[0], url: string): Promise<Page> {
  const page = await openPage(t, url, { hasOwnClock: true });
  await page.getByRole('tab', { name: 'Approvals' }).click();
  return page;
}

async function nameMyself(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name for the log').fill(name);
  await page.getByLabel('Your name for the log').press('Enter');
}

t.test('plans that wait for a person', { skip: noBrowser }, async (t) => {
  const box = await Threatened.begin(t);
  const { daemon } = box;
  const { plan } = await box.planFor('shadow');
  const proposeAnew = () => must<Engagement>(daemon, '/api/engagement/propose', { track_id: plan.track_id });

  await t.test('a plan whose time is over cannot be approved', async (t) => {
    await proposeAnew();
    const cable = await Cable.to(t, daemon.url);
    const page = await openApprovals(t, cable.url);
    const sent = requestsTo(page, TASK);
    await nameMyself(page, 'anna');
    await approve(page).and(page.locator('[aria-disabled="false"]')).waitFor();
    // Nothing arrives that would set the clock right: the plan's time runs out on the screen.
    cable.hold();
    // Bytes under way have arrived once nothing came for five seconds.
    await page.locator('.badge.link.stale').waitFor({ timeout: 60_000 });
    const left = async (): Promise<number> => {
      const text = await page.locator('.approval .plan progress').first().getAttribute('aria-label');
      const [, min = 0, s = Number.NaN] = /in (?:(\d+) min )?(\d+) s/.exec(text ?? '') ?? [];
      return Number(min) * 60 + Number(s);
    };
    const before = await left();
    await page.clock.fastForward(3_000);
    await until(async () => (await left()) <= before - 3, 'three seconds less', 5_000);
    await page.clock.fastForward(3_600_000);
    await page.locator('.approval .plan', { hasText: 'expired' }).first().waitFor();
    // After 15 s without bytes there is no link any more.
    await reason(page, 'stale').or(reason(page, 'There is no link')).first().waitFor();
    t.equal(await approve(page).getAttribute('aria-disabled'), 'true');
    await stopTimers(page);
    await hold(page, approve(page), 2_000);
    t.same(sent, []);
  });

  await t.test('a plan that changes under the finger is not approved', async (t) => {
    const page = await openApprovals(t, daemon.url);
    const sent = requestsTo(page, TASK);
    await approve(page).waitFor();
    await reason(page, 'Type your name first').first().waitFor();
    await nameMyself(page, 'anna');
    await stopTimers(page);
    const before = await shownHash(page).innerText();
    await approve(page).scrollIntoViewIfNeeded();
    await page.mouse.move(10, 10);
    const place = await approve(page).boundingBox();
    await press(page, approve(page));
    t.same(await approve(page).boundingBox(), place, 'the button stays where it is when it is pointed at');
    await page.clock.runFor(900);
    t.equal(await approve(page).getAttribute('data-held'), 'true');
    await proposeAnew();
    await shownHash(page).filter({ hasNotText: before }).waitFor();
    t.equal(await approve(page).getAttribute('data-held'), 'false', 'the new plan is not pressed');
    await reason(page, 'The plan changed').first().waitFor();
    t.equal(await approve(page).getAttribute('aria-disabled'), 'true', 'nor can it be at once');
    await page.clock.runFor(1_000);
    await page.mouse.up();
    await hold(page, approve(page), 200);
    await page.clock.runFor(2_000);
    await approve(page).and(page.locator('[aria-disabled="false"]')).waitFor();
    t.same(sent, [], 'nothing was sent');
  });

  await t.test('a plan that has just come is neither approved nor rejected', async (t) => {
    const page = await openApprovals(t, daemon.url);
    const sent = [TASK, '/reject'].map((path) => requestsTo(page, path));
    await nameMyself(page, 'anna');
    await approve(page).and(page.locator('[aria-disabled="false"]')).waitFor();
    await stopTimers(page);
    const { id } = await proposeAnew();
    await must(daemon, `/api/engagement/${id}/reject`, { operator: 'anna', reason: 'seen as a bird' });
    await card(page).waitFor({ state: 'detached' });
    await proposeAnew();
    await approve(page).and(page.locator('[aria-disabled="false"]')).waitFor();
    await press(page, approve(page));
    await page.locator('.notices', { hasText: 'Not approved: the plan has just come' }).waitFor();
    t.equal(await approve(page).getAttribute('data-held'), 'false');
    await page.mouse.up();
    await card(page).getByRole('button', { name: 'Reject' }).click();
    await page.locator('.notices', { hasText: 'Not rejected: the plans have just come' }).waitFor();
    await page.clock.runFor(800);
    t.same(sent, [[], []], 'nothing was sent');
    await press(page, approve(page));
    await page.clock.runFor(500);
    t.equal(await approve(page).getAttribute('data-held'), 'true', 'later it can be held');
    await page.mouse.up();
    t.same(sent, [[], []]);
  });

  await t.test('a viewer reads a plan and approves nothing', async (t) => {
    const anna = await firstOwner(t, daemon);
    await anna.get('POST', '/v1/users', { username: 'vera', role: 'viewer', password: PASSWORD });
    await anna.get('POST', '/v1/users', { username: 'ben', role: 'operator', password: PASSWORD });
    const page = await openApprovals(t, daemon.url);
    const sent = requestsTo(page, TASK);
    await signIn(page, 'vera', PASSWORD);
    await reason(page, 'Your role is viewer').first().waitFor();
    t.match(await card(page).innerText(), /Your role is viewer[\s\S]*shadow/, 'the reason comes first');
    t.equal(await approve(page).innerText(), 'Cannot be approved now');
    for (const button of [approve(page), card(page).getByRole('button', { name: 'Reject' })])
      t.equal(await button.getAttribute('aria-disabled'), 'true');
    await stopTimers(page);
    await hold(page, approve(page), 2_000);
    t.same(sent, []);
  });

  await t.test('a hold of less than a second sends nothing, of a second one approval of what was read', async (t) => {
    const page = await openApprovals(t, daemon.url);
    const sent = requestsTo(page, TASK);
    await nameMyself(page, 'anna');
    await proposeAnew();
    await approve(page).and(page.locator('[aria-disabled="false"]')).waitFor();
    await stopTimers(page);
    await hold(page, approve(page), 900);
    await page.clock.runFor(2_000);
    t.same(sent, []);
    const read = await shownHash(page).innerText();
    const top = (await card(page).boundingBox())?.y;
    const answered = page.waitForResponse((response) => response.url().endsWith(TASK));
    await press(page, approve(page));
    await page.clock.runFor(1_000);
    const answer = await answered;
    t.equal(answer.status(), 200, await answer.text());
    await page.clock.runFor(3_000);
    await page.mouse.up();
    t.equal(sent.length, 1, 'however long it is held');
    t.match(sent[0]?.hash, new RegExp(`^sha256:${read}`));
    t.match(sent[0], { operator: 'anna', seq: Number, epoch: String });
    const flown = page.locator('.card.flown');
    await flown.waitFor();
    t.equal((await flown.boundingBox())?.y, top, 'the plan in execution is where the plan was');
    await flown.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('[role=status], .notices', { hasText: 'Cancelled: the plan about' }).first().waitFor();
    await page.locator('.card.flown[data-over=true]').waitFor();
    await page.mouse.move(10, 10);
    await flown.waitFor({ state: 'detached' });
  });

  await t.test('where two must approve, the first cannot be the second', async (t) => {
    const config = await daemon.get<{ engagement: object }>('/api/decision-config');
    const twoPerson = { ...config, engagement: { ...config.engagement, two_person: ['shadow', 'takeoff'] } };
    await must(daemon, '/api/decision-config', twoPerson, 'PUT');
    const open = await openApprovals(t, daemon.url);
    await nameMyself(open, 'anna');
    await proposeAnew();
    await reason(open, 'Two persons must approve: sign in').first().waitFor();

    const first = await openApprovals(t, daemon.url);
    await signIn(first, 'anna', PASSWORD);
    await approve(first).and(first.locator('[aria-disabled="false"]')).waitFor();
    await stopTimers(first);
    await hold(first, approve(first), 1_000);
    await first.locator('.approval', { hasText: '1 of 2 persons approved' }).waitFor();
    await reason(first, 'You approved this plan').first().waitFor();
    t.equal(await approve(first).getAttribute('aria-disabled'), 'true');

    const second = await openApprovals(t, daemon.url);
    await signIn(second, 'ben', PASSWORD);
    await second.locator('.approval', { hasText: 'approved by anna' }).waitFor();
    await stopTimers(second);
    const answered = second.waitForResponse((response) => response.url().endsWith(TASK));
    await hold(second, approve(second), 1_000);
    t.match((await (await answered).json()).data, { state: 'executing', approvals: { length: 2 } });
    await second.locator('.card.flown').waitFor();
  });
});
