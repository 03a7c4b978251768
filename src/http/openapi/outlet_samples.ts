import { type Outlet, outletKindTable, outletSpecSchema } from '../../model/outlet.ts';

/** Certificate of an invented authority whose private key was deleted. */
const authority = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBtzCCAV2gAwIBAgIUAJn8WzM3MBr0NPK1u+qGd13SFscwCgYIKoZIzj0EAwIw',
  'MDEVMBMGA1UECgwMRHVubGluIHRlc3RzMRcwFQYDVQQDDA5UZXN0IGF1dGhvcml0',
  'eTAgFw0yNjExMjgwNjUwMDdaGA8yMTI2MTEwNDA2NTAwN1owMDEVMBMGA1UECgwM',
  'RHVubGluIHRlc3RzMRcwFQYDVQQDDA5UZXN0IGF1dGhvcml0eTBZMBMGByqGSM49',
  'AgEGCCqGSM49AwEHA0IABIc8QX7s8Rz1JpIlXRd7O/Tf1twYymaWubQSg0iCRKvV',
  'i/HKP80pwJM2Z9OeQeZXvk0RffeXyJ6LIAhJxLxUnl6jUzBRMB0GA1UdDgQWBBQX',
  'UPB00AoyeDu3rE/UNtYlkb95MDAfBgNVHSMEGDAWgBQXUPB00AoyeDu3rE/UNtYl',
  'kb95MDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQDM3bB1ydcl',
  'PugoegydOR3VenycvQ6bU/ppcDd18cpbNAIgOazMnwy+vtBIvwbgZijceY/T9jA/',
  'RI1FRVRiWlHorLA=',
  '-----END CERTIFICATE-----',
  '',
];
export const sampleCredentials = { ca_pem: authority.join('\n') };

const at = '2025-06-01T12:00:00.000Z';

export const sampleOutletSpec = {
  name: 'tak',
  kind: 'cot',
  transport: 'udp',
  address: '127.0.0.1:9',
  filter: { affiliations: ['unknown', 'hostile'], least_level: 'low' },
  options: { stale_s: 30, chat_least: 'critical' },
} as const;

export const sampleOutlet = (): Outlet => ({
  id: '5e0f6a52-0d3c-4a11-9c55-0000000000c7',
  ...outletSpecSchema.parse(sampleOutletSpec),
  options: outletKindTable.cot.options.parse(sampleOutletSpec.options),
  credentials: null,
  state: 'open',
  since: '2025-06-01T06:30:00.000Z',
  bound_to: null,
  peer: '127.0.0.1:9',
  last_tx_at: at,
  last_rx_at: null,
  tx_msgs: 412,
  tx_bytes: 402_112,
  tracks: 3,
  dropped: { rate: 0, blocked: 0, no_position: 0 },
  refusals: 0,
  last_refusal: null,
  retries: 0,
  next_retry_at: null,
  last_error: null,
  version: 1,
  created_at: '2025-06-01T06:30:00.000Z',
  updated_at: at,
});
