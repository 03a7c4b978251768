import type { FaultCode } from '../../model/fault.ts';
import type { JsonSchema } from './schema.ts';

/** Meaning of each failure code, with an example of its sentence. */
const errorTexts: Record<FaultCode, { text: string; example: string }> = {
  invalid_input: {
    text: 'The request does not conform to its description',
    example: "'placement.lat' must be at most 90",
  },
  unauthenticated: {
    text: 'A credential is needed, or the one sent is not valid',
    example:
      "this surface needs a credential: an API key in the header X-Api-Key, or 'Authorization: Bearer' with the token of POST /api/auth/sign-in",
  },
  forbidden: {
    text: 'The source or the role of the request is not allowed; the code is `read_only` if the caller may only read',
    example: 'the request comes from a web page of another origin',
  },
  not_a_member: { text: 'The caller is not a member of the workspace', example: 'you are not a member of wsp_north' },
  read_only: { text: 'The caller may only read', example: 'a viewer may not change sensors' },
  not_found: {
    text: 'The object does not exist in this workspace',
    example: 'there is no track with the id 5e0f6a52-0d3c-8a11-9c55-000000000009',
  },
  method_not_allowed: {
    text: 'The path does not accept this method; `Allow` lists the accepted ones',
    example: '/api/tracks accepts GET, HEAD, OPTIONS, but not DELETE',
  },
  conflict: {
    text: 'Not possible in the present state of the object',
    example: "the sensor 'roof receiver' is declared by the link 'rid' and goes away with it",
  },
  too_large: {
    text: 'The body is larger than the route accepts',
    example: 'the body is larger than 1048576 bytes, the limit of this route',
  },
  unsupported_media_type: {
    text: 'The route does not accept this media type',
    example: 'the Content-Type must be application/json',
  },
  rate_limited: {
    text: 'Too many requests at once; `Retry-After` has the time to wait',
    example: '64 streams are open already, which is the limit; close one or try again',
  },
  internal: {
    text: 'A fault of the service; the log has the incident',
    example: 'internal error; the log has the cause under the incident 0b8c5f0e-6f0f-4d4c-8d3a-3f1f6f3c2a10',
  },
  not_built: { text: 'This build cannot do it', example: 'this build has no vehicle control' },
  not_configured: {
    text: 'A setting that the request needs is missing',
    example: 'no secret key is set, so that nothing can be sealed',
  },
  unavailable: {
    text: 'A needed part of the service is down',
    example: 'not healthy: core (no answer for 12 s)',
  },
};

const sampleFaults = [{ path: 'placement.lat', text: "'placement.lat' must be at most 90" }];

const headersOf: Partial<Record<FaultCode, JsonSchema>> = {
  unauthenticated: { 'WWW-Authenticate': { schema: { type: 'string' } } },
  method_not_allowed: { Allow: { schema: { type: 'string' } } },
  rate_limited: { 'Retry-After': { description: 'seconds', schema: { type: 'integer' } } },
};

/** Returns the OpenAPI response component of a failure code. */
export function failureOf(code: FaultCode): JsonSchema {
  const { text, example } = errorTexts[code];
  const headers = headersOf[code];
  return {
    description: text,
    ...(headers === undefined ? {} : { headers }),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        example: { ok: false, error: example, code, ...(code === 'invalid_input' ? { faults: sampleFaults } : {}) },
      },
    },
  };
}
