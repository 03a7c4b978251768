import t from 'tap';
import { parseLinkSpec, readConfig } from '../../../src/host/config.ts';
import { linkSpecSchema, protocols, provesSender } from '../../../src/model/link.ts';

function sentence(text: string): string {
  try {
    parseLinkSpec(text);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  throw new Error(`${text} was taken`);
}

t.test('a link of the command line is the same as that of the file', async (t) => {
  const row = { name: 'rid', transport: 'udp', address: '127.0.0.1:14550', protocol: 'mavlink' };
  t.same(parseLinkSpec('name=rid,transport=udp,address=127.0.0.1:14550,protocol=mavlink'), linkSpecSchema.parse(row));
  t.match(parseLinkSpec('name=s, transport=serial, address=/dev/serial/by-id/a=b, protocol=odid_json, baud=57600'), {
    name: 's',
    address: '/dev/serial/by-id/a=b',
    baud: 57_600,
  });
  t.match(
    parseLinkSpec(
      'name=a,transport=tcp_client,address=[::1]:30003,protocol=sbs,enabled=false,silence_s=2.5,command=allow',
    ),
    { address: '[::1]:30003', enabled: false, silence_s: 2.5, command: 'allow' },
  );
  t.equal(parseLinkSpec('name=f,transport=file,address=a b.tlog,protocol=mavlink').address, 'a b.tlog');
});

t.test('a key that holds a list is repeated', async (t) => {
  const text = 'name=a,transport=udp,address=[::]:1,protocol=sbs,sources_allow=10.0.0.0/8,sources_allow=::1';
  t.same(parseLinkSpec(text).sources_allow, ['10.0.0.0/8', '::1']);
});

t.test('the sentence names every bad key', async (t) => {
  const text = 'name=rid,transport=udp,adress=x,protocol=mav,baud=3,enabled=yes,name=b,x';
  t.equal(
    sentence(text),
    `--link ${text}: name: is given twice; "x" is not key=value; address: is required; baud: must be at least 300; received 3; ` +
      `protocol: must be one of ${protocols.join(', ')}; received "mav"; ` +
      'enabled: expected true or false, received text; adress: unknown key, did you mean address?',
  );
  t.match(sentence('name=a,transport=udp,address=14550,protocol=sbs'), 'address: must be HOST:PORT');
  t.match(sentence('name=a,transport=tcp_client,address=h:0,protocol=sbs'), 'address: needs the port to connect to');
  t.match(sentence('name=a,transport=serial,address=COM3,protocol=sbs'), 'address: must be a device path');
  t.match(
    sentence('name=a,transport=serial,address=/dev/x,protocol=sbs,baud=fast'),
    'baud: expected a number, received text',
  );
  t.match(sentence('__proto__=1'), '__proto__: unknown key');
  t.match(sentence(''), '"" is not key=value');
});

t.test('options of a protocol follow a dot, entries of a table another one', async (t) => {
  const link = 'name=a,transport=udp,address=127.0.0.1:1,protocol=asterix';
  t.same(parseLinkSpec(link).options, {});
  t.same(parseLinkSpec(`${link},options.editions.062=1.20,options.sources.204/17=mast radar`).options, {
    editions: { '062': '1.20' },
    sources: { '204/17': 'mast radar' },
  });
});

t.test('an option that is wrong is named with its fault', async (t) => {
  const link = 'name=a,transport=udp,address=127.0.0.1:1';
  const faults: [string, string][] = [
    ['protocol=nmea,options.speed=3', 'options.speed: is unknown: the protocol nmea has no options'],
    ['protocol=nmea,options=3', 'options: expected a mapping of keys to values, received text'],
    [
      'protocol=sbs,options.editions.062=1.20',
      'options.editions: is an option of the protocol asterix, and this link has the protocol sbs',
    ],
    ['protocol=asterix,options.speed=3', 'options.speed: is unknown: the protocol asterix has only editions, sources'],
    ['protocol=asterix,options.editions.062=0.17', 'options.editions.062: must be 1.20'],
    ['protocol=asterix,options.editions.001=1.0', 'options.editions.001: is not a known field'],
    ['protocol=asterix,options.sources.radar=x', 'has a key that is not allowed'],
    ['protocol=asterix,options.editions.062=1.20,options.editions.062=1.20', 'options.editions.062: is given twice'],
  ];
  for (const [pairs, wanted] of faults) t.match(sentence(`${link},${pairs}`), wanted);
});

t.test('a link over TLS has its checks and files, and another has neither', async (t) => {
  const text =
    'name=a,transport=tls_client,address=adsb.example:30103,protocol=sbs,tls.verify=chain,ca_file=/etc/ca.pem';
  const { ca_file, ...link } = parseLinkSpec(text);
  t.match(link, { tls: { server_name: null, verify: 'chain' } });
  t.equal(ca_file, '/etc/ca.pem');
  t.equal(provesSender(link), true, 'the verified server is a proven sender');
  t.equal(provesSender({ ...link, transport: 'tcp_client' }), false);
  t.match(sentence(`${text},tls.verify=chain`), 'tls.verify: is given twice');
  t.match(sentence(text.replace('chain', 'none')), 'tls.verify: must be one of full, chain; received "none"');
  t.match(sentence(text.replace('verify', 'verfy')), 'tls.verfy: unknown key, did you mean verify?');
  t.match(sentence(text.replace(':30103', ':0')), 'address: needs the port to connect to');
  const problemsOf = (link: string) => readConfig({ config: '/dev/null', link: [link] }, {}).problems.join();
  t.match(
    problemsOf(text.replace('tls_client', 'tcp_client')),
    'tls: must be null for the transport tcp_client: only tls_client uses TLS',
  );
  t.match(problemsOf(text.replace('tls_client', 'tcp_client')), 'ca_file: needs the transport tls_client');
  t.match(problemsOf(`${text},key_file=/etc/key.pem`), 'key_file: needs cert_file too');
});
