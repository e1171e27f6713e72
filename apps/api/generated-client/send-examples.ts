// Sends each example of a request that the OpenAPI description shows to the server that serves it: all are accepted.
// Ids of examples name records that a business has; here they stand for such as this program has made or found.
import assert from 'node:assert/strict';

type Json = Readonly<Record<string, unknown>>;
const jsonOf = (value: unknown): Json => Object(value);

const [baseUrl = '', key = '', description = '', reachable = ''] = process.argv.slice(2);
const document = jsonOf(await (await fetch(description)).json());
const schemas = jsonOf(jsonOf(document['components'])['schemas']);

async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; data: Json; text: string }> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(baseUrl + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, data: jsonOf(text === '' ? {} : JSON.parse(text).data), text };
}

/** The last record of each kind that was made. */
const made = new Map<string, Json>();
const idOf = (kind: string): unknown => made.get(kind)?.['id'] ?? made.get(kind)?.['uuid'];

const [service] = Object.values((await call('GET', '/booking-services')).data).map(jsonOf);
made.set('booking-service', service ?? {});

/** An example with the ids of records that there are, and an address that this machine can reach. */
function real(example: unknown, schema: Json): Json {
  const properties = jsonOf(schema['properties']);
  return Object.fromEntries(
    Object.entries(jsonOf(example)).map(([field, value]) => {
      const kind = jsonOf(properties[field])['x-reference'];
      if (field === 'target_url') return [field, reachable];
      if (kind === 'stage') return [field, jsonOf(made.get('lead')?.['stage'])['id']];
      return [field, typeof kind === 'string' ? idOf(kind) : value];
    }),
  );
}

let sent = 0;
for (const [path, methods] of Object.entries(jsonOf(document['paths']))) {
  for (const [method, operation] of Object.entries(jsonOf(methods))) {
    const { requestBody, tags } = jsonOf(operation);
    if (requestBody === undefined) continue;
    const [resource] = Array.isArray(tags) ? tags.map(String) : [];
    const media = jsonOf(jsonOf(jsonOf(requestBody)['content'])['application/json']);
    const component = String(jsonOf(media['schema'])['$ref']).split('/').at(-1) ?? '';
    const schema = jsonOf(schemas[component]);
    const examples = schema['examples'];
    assert.ok(Array.isArray(examples) && examples.length > 0, `${component} shows no example`);
    for (const example of examples) {
      const address = path.replace(/\{\w+\}/, String(idOf(resource ?? '')));
      const { status, data, text } = await call(method.toUpperCase(), address, real(example, schema));
      assert.ok(status < 300, `The example of ${component} was refused: ${status} ${text}`);
      // A step may answer something else than the record.
      if (resource !== undefined && (data['id'] ?? data['uuid']) !== undefined) made.set(resource, data);
      sent += 1;
    }
  }
}
assert.ok(sent > 15, `${sent} examples were sent`);
process.stdout.write(`${sent} examples are accepted.\n`);
