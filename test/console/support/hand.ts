import type { Locator, Page } from 'playwright-core';

/** Stops the page's timers, which `windOn` moves from then on. The page was opened with a clock of its own. */
export async function stopTimers(page: Page): Promise<void> {
  await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 5_000);
}

/** Presses a button and keeps it pressed for so many milliseconds of the page's stopped clock. */
export async function hold(page: Page, button: Locator, ms: number): Promise<void> {
  await press(page, button);
  await page.clock.runFor(ms);
  await page.mouse.up();
}

/**
 * Presses a button without letting go, also one that may not be used. On a starved machine the page may move the button
 * between the pointer's arrival and the press.
 */
export async function press(page: Page, button: Locator): Promise<void> {
  for (;;) {
    await button.hover();
    await page.mouse.down();
    if (await button.evaluate((element) => element.matches(':active'))) return;
    // What was pressed instead must not act.
    await page.mouse.move(0, 0);
    await page.mouse.up();
  }
}

/** Bodies of the requests of a page to a path, as they are sent. */
export function requestsTo(page: Page, path: string): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(path))
      sent.push(request.postDataJSON() as Record<string, unknown>);
  });
  return sent;
}

/** Signs a person in through the console. */
export async function signIn(page: Page, username: string, password: string): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Sign in' });
  if (!(await form.isVisible())) await page.locator('.bar').getByRole('button', { name: 'Sign in' }).click();
  await form.getByLabel('User name').fill(username);
  await form.getByLabel('Password').fill(password);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await form.waitFor({ state: 'hidden' });
  await page.locator('bdi.person', { hasText: username }).waitFor();
}
