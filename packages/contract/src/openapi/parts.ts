import { type ErrorCode, errorStatus } from '../errors.ts';
import { apiVersion, limits } from '../limits.ts';
import { type Text, text } from '../text.ts';

const header = (about: Text, schema: object) => ({
  description: about.en,
  'x-sk-description': about.sk,
  schema,
});
const integerHeader = (en: string, sk: string, example: number) =>
  header(text(en, sk), { type: 'integer', examples: [example] });
const textHeader = (en: string, sk: string, example: string) =>
  header(text(en, sk), { type: 'string', examples: [example] });

const exampleRequestId = '7f1c0b52-9d0e-4b53-8e07-5a0c7f2f6a11';

export const responseHeaders = {
  'X-Service-Api-Version': textHeader(
    'Dated version of the contract.',
    'Verzia API podľa dátumu.',
    apiVersion,
  ),
  'X-RateLimit-Limit': integerHeader(
    'Ceiling of the tightest bucket.',
    'Strop toho limitu, z ktorého zostáva najmenej.',
    limits.requestsPerMinute,
  ),
  'X-RateLimit-Remaining': integerHeader(
    'Requests left in the window.',
    'Koľko požiadaviek v tejto minúte ešte zostáva.',
    119,
  ),
  'X-RateLimit-Reset': integerHeader(
    'Seconds until the window resets.',
    'Počet sekúnd, kým sa limit obnoví.',
    42,
  ),
  'X-Request-Id': textHeader(
    'Names this request in the log of the service.',
    'Označuje túto požiadavku v záznamoch služby.',
    exampleRequestId,
  ),
  Location: textHeader(
    'Address of the record that was created.',
    'Adresa vytvoreného záznamu.',
    'https://dealkeep.example/api/v1/public/companies/0192f0c4-7a1e-7c3a-9b1d-2f6a8e4c5d01',
  ),
  ETag: textHeader(
    'Names the record as it is now, for If-None-Match and If-Match.',
    'Označuje záznam v jeho terajšej podobe, pre If-None-Match a If-Match.',
    '"5mIqVSsmwKyBhmFOYdnnjT"',
  ),
  'Content-Language': textHeader('Language of the messages.', 'Jazyk správ.', 'en'),
  Vary: textHeader(
    'Headers of the request on which the answer depends.',
    'Hlavičky požiadavky, od ktorých odpoveď závisí.',
    'Accept-Language, Accept-Encoding',
  ),
  'Idempotent-Replayed': textHeader(
    'true when this is the stored answer to an earlier request.',
    'Hodnota true znamená, že ide o uloženú odpoveď na skoršiu požiadavku.',
    'true',
  ),
  'Cache-Control': textHeader(
    'no-store: the answer holds a secret.',
    'no-store: odpoveď obsahuje tajomstvo.',
    'no-store',
  ),
  'WWW-Authenticate': textHeader(
    'How to authenticate; on 403 only where a scope is missing.',
    'Ako sa preukázať; pri 403 len vtedy, keď chýba oprávnenie.',
    'Bearer error="invalid_token"',
  ),
  'Retry-After': integerHeader(
    'Seconds to wait before trying again.',
    'Koľko sekúnd počkať pred ďalším pokusom.',
    12,
  ),
};

/** What every example of an error says besides what is wrong. */
export function exampleOfError(code: ErrorCode): { request_id: string; doc_url: string } {
  return {
    request_id: exampleRequestId,
    doc_url: `https://dealkeep.example/docs#${code}`,
  };
}

export const errorSchema = {
  type: 'object',
  title: 'Error',
  'x-sk-title': 'Chyba',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          enum: Object.keys(errorStatus),
          // More of them can come (rule versioning 4).
          'x-open': true,
          description: 'Stable; branch on it.',
          'x-sk-description': 'Nemení sa; rozhodujte sa podľa neho.',
        },
        message: {
          type: 'string',
          description: 'For people, in the language of Accept-Language.',
          'x-sk-description': 'Pre ľudí, v jazyku podľa Accept-Language.',
        },
        detail: {
          description:
            'More about the error: {parameter} of a bad query parameter, {fields: [{path, code, message}]} of a body.',
          'x-sk-description':
            'Viac o chybe: {parameter} pri zlom parametri adresy, {fields: [{path, code, message}]} pri tele požiadavky.',
        },
        request_id: {
          type: 'string',
          description: 'The X-Request-Id of the request that was refused; name it when you ask for help.',
          'x-sk-description': 'X-Request-Id odmietnutej požiadavky; uveďte ho, keď žiadate o pomoc.',
        },
        doc_url: {
          type: 'string',
          format: 'uri',
          description: 'What the code means, for people.',
          'x-sk-description': 'Čo kód znamená, pre ľudí.',
        },
      },
      required: ['code', 'message', 'request_id', 'doc_url'],
    },
  },
  required: ['error'],
  examples: [
    {
      error: {
        code: 'NOT_FOUND',
        message: 'There is no such record in this organization.',
        ...exampleOfError('NOT_FOUND'),
      },
    },
  ],
};
