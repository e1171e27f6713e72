import { createDocumentedApp, createOAuthApp, listConnections } from '@dealkeep/core/accounts';
import { Browser, sharedDealkeep, startAssistantHost } from '@dealkeep/testing';
import * as oauth from 'oauth4webapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const { core } = dealkeep;
const organization = await dealkeep.createOrganization();
const host = await startAssistantHost();
const hostName = new URL(host.address()).host;
const registerPath = '/integrations/apps/register';
const verifier = oauth.generateRandomCodeVerifier();
const challenge = await oauth.calculatePKCECodeChallenge(verifier);

const authorize = (client_id: string, redirect_uri = 'https://claude.example/callback'): string =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'x',
    resource: `${core.origin}/mcp`,
  })}`;

async function signedIn(who: { ownerEmail: string } = organization): Promise<Browser> {
  const browser = new Browser(dealkeep);
  await browser.signIn({ ...organization, ...who });
  return browser;
}

async function employee(of = organization): Promise<Browser> {
  return (await signedInUser(dealkeep, of, { permissions: 'leads.view=all' })).browser;
}

/** An owner registers what a path serves, in the console; answers what is answered. */
async function register(browser: Browser, path: string) {
  const form = await browser.get(registerPath);
  return browser.submit(form, registerPath, { metadata_url: host.address(path), do: 'save' });
}

function serve(path: string, changes: Readonly<Record<string, unknown>> = {}): string {
  host.serve(host.document(changes, path), {}, path);
  return host.address(path);
}

describe('an owner registers an assistant', () => {
  test('by its address, for the people of the organization alone (rule oauth 25)', async () => {
    const address = serve('/own.json');
    const owner = await signedIn();
    const done = await register(owner, '/own.json');
    expect([done.status, done.location]).toEqual([303, '/integrations/apps?done=assistant_registered']);
    const list = await owner.get('/integrations/apps');
    expect(list.html).toContain(address);
    const own = await (await employee()).get(authorize(address));
    expect(own.html).toContain('Connect Claude?');

    const other = await dealkeep.createOrganization();
    const stranger = await signedIn(other);
    const refused = await stranger.get(authorize(address));
    expect([refused.status, refused.location]).toEqual([400, undefined]);
    expect(refused.html).toContain(`${hostName} is not registered here`);
    expect(refused.html).toContain(`npx dealkeep oauth-apps create --metadata-url ${address}`);
    expect((await stranger.get('/integrations/apps')).html).not.toContain(address);
  });

  test('consent of a stranger counts nothing, though the page of another person is sent with it', async () => {
    const address = serve('/forged.json');
    await register(await signedIn(), '/forged.json');
    const other = await dealkeep.createOrganization();
    const stranger = await signedIn(other);
    const everywhere = serve('/everywhere.json');
    await createDocumentedApp(core, { metadataUrl: everywhere, scopes: undefined });
    const page = await stranger.get(authorize(everywhere));
    const request = authorize(address).split('?')[1] ?? '';
    const allowed = await stranger.submit(page, '/oauth/authorize', { decision: 'allow', request });
    expect([allowed.status, allowed.location]).toEqual([400, undefined]);
    const [codes] = await dealkeep.sql<{ count: number }[]>`
      select count(*)::integer as count from oauth_codes where client_id = ${address}`;
    expect(codes?.count).toBe(0);
  });

  test('two organizations register the same one, and each takes back its own', async () => {
    const address = serve('/both.json');
    const other = await dealkeep.createOrganization();
    const [first, second] = [await signedIn(), await signedIn(other)];
    await register(first, '/both.json');
    await register(second, '/both.json');
    await takeBack(first, address);
    expect((await first.get(authorize(address))).status).toBe(400);
    expect((await second.get(authorize(address))).status).toBe(200);
  });

  test('is told in words what is wrong with a document, with what was typed', async () => {
    const address = serve('/secret.json', { token_endpoint_auth_method: 'private_key_jwt' });
    const owner = await signedIn();
    const refused = await register(owner, '/secret.json');
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('The document demands a secret or a key of the application');
    expect(refused.html).toContain(address);
    const slovak = await owner.get(`${registerPath}?language=sk`);
    const again = await owner.submit(slovak, registerPath, { metadata_url: 'http://claude.example/x' });
    expect(again.html).toContain('Toto musí byť https adresa s cestou');
  });

  test('without a document, by where it takes people back to: it is given a client ID and no secret', async () => {
    const owner = await signedIn(await dealkeep.createOrganization());
    const path = '/integrations/apps/add';
    const form = await owner.get(path);
    const wrong = await owner.submit(form, path, { name: 'Ours', redirect_uris: 'javascript:alert(1)' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('This must be an https address, or http on 127.0.0.1');
    const done = await owner.submit(form, path, {
      name: 'Ours',
      redirect_uris: 'http://127.0.0.1/callback',
    });
    expect(done.location).toBe('/integrations/apps?done=assistant_added');
    const [, clientId = ''] =
      /<pre id="code-dkapp_\w{43}">(dkapp_\w{43})<\/pre>/.exec(
        (await owner.get('/integrations/apps')).html,
      ) ?? [];
    const page = await owner.get(authorize(clientId, 'http://127.0.0.1:58135/callback'));
    expect(page.html).toContain('Ours (a program on this computer) asks for access');
    const stranger = await (await signedIn()).get(authorize(clientId, 'http://127.0.0.1:58135/callback'));
    expect([stranger.status, stranger.location]).toEqual([400, undefined]);
    expect(stranger.html).toContain('registered for other organizations of this service, and not for yours');
  });

  test('nobody else does', async () => {
    const person = await employee();
    expect((await person.get('/integrations/apps/add')).status).toBe(403);
    expect((await person.get(registerPath)).status).toBe(403);
    expect((await person.get('/integrations/apps')).html).not.toContain(registerPath);
  });

  test('what the operator limited stays limited', async () => {
    const address = serve('/limited.json');
    await createDocumentedApp(core, { metadataUrl: address, scopes: ['leads:read'] });
    const owner = await signedIn();
    await register(owner, '/limited.json');
    const page = await owner.get(authorize(address));
    expect(page.html).toContain('<code>leads:read</code>');
    expect(page.html).not.toContain('<code>leads:write</code>');
  });
});

async function takeBack(browser: Browser, address: string) {
  const path = `/integrations/apps/remove?${new URLSearchParams({ client_id: address })}`;
  return browser.submit(await browser.get(path), path, {});
}

test('taken back, its connections end at once, and a code that waits counts no more (rule oauth 25)', async () => {
  const address = serve('/removed.json');
  const own = await dealkeep.createOrganization();
  const owner = await signedIn(own);
  await register(owner, '/removed.json');
  const code = async (): Promise<string> => {
    const page = await owner.get(authorize(address));
    const { location = '' } = await owner.submit(page, '/oauth/authorize', { decision: 'allow' });
    return new URL(location).searchParams.get('code') ?? '';
  };
  const redeem = async (given: string) => {
    const response = await fetch(`${dealkeep.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: given,
        code_verifier: verifier,
        redirect_uri: 'https://claude.example/callback',
        client_id: address,
      }),
    });
    return Object(await response.json());
  };
  const { access_token: token } = await redeem(await code());
  const waiting = await code();
  expect(await listConnections(core.sql, { organization: own.id })).toHaveLength(1);
  const removed = await takeBack(owner, address);
  expect(removed.location).toBe('/integrations/apps?done=assistant_removed');
  expect(await listConnections(core.sql, { organization: own.id })).toEqual([]);
  const caller = { authorization: `Bearer ${token}`, userAgent: undefined };
  await expect(core.credentials.find(caller, 'mcp')).rejects.toThrow('credential.invalid');
  expect((await redeem(waiting)).error).toBe('invalid_grant');
  // One whose page was allowed in the moment in which it was taken back.
  await dealkeep.sql`
    insert into oauth_codes (code_hash, organization_id, connection_id, client_id, user_id, scopes, redirect_uri,
                             redirect_uri_given, code_challenge, expires_at)
    values (sha256('dk_oac_late'), ${own.id}, ${crypto.randomUUID()}, ${address}, ${own.ownerId}, '{leads:read}',
            'https://claude.example/callback', true, ${challenge}, ${new Date(Date.now() + 60_000).toISOString()})`;
  expect((await redeem('dk_oac_late')).error).toBe('invalid_grant');
  const again = `/integrations/apps/remove?${new URLSearchParams({ client_id: address })}`;
  expect((await owner.get(again)).status).toBe(404);
});

describe('the consent page', () => {
  let address = '';

  beforeAll(async () => {
    address = serve('/named.json', { client_name: 'Claude <b>' });
    await createDocumentedApp(core, { metadataUrl: address, scopes: undefined });
  });

  test('names the assistant and the host of its document', async () => {
    const { html } = await (await signedIn()).get(authorize(address));
    expect(html).toContain(`Claude &lt;b&gt; (${hostName}) asks for access`);
    expect(html).toContain('You will be sent back to claude.example.');
    expect(html).not.toContain('any program on it can call itself');
  });

  test.each(['http://localhost:58135/callback', 'http://127.0.0.1:4000/callback'])(
    'warns where %s gets the access: a program on this computer',
    async (redirect) => {
      const browser = await signedIn();
      const { html } = await browser.get(authorize(address, redirect));
      expect(html).toContain('any program on it can call itself Claude &lt;b&gt;');
      expect(html).toContain('You will be sent back to a program on this computer.');
      const slovak = await browser.get(`${authorize(address, redirect)}&language=sk`);
      expect(slovak.html).toContain('program na tomto počítači');
    },
  );

  test('names the host that people come back to, of an application without a document', async () => {
    const made = await createOAuthApp(core, {
      name: 'Assistant',
      redirectUris: ['https://assistant.example/callback', 'http://127.0.0.1/callback'],
      scopes: ['leads:read'],
      isPublic: true,
    });
    const browser = await signedIn();
    const web = await browser.get(authorize(made.client_id, 'https://assistant.example/callback'));
    expect(web.html).toContain('Assistant (assistant.example) asks for access');
    const own = await browser.get(authorize(made.client_id, 'http://127.0.0.1:9/callback'));
    expect(own.html).toContain('Assistant (a program on this computer) asks for access');
  });
});

describe('the page for what is not registered', () => {
  const stranger = 'https://assistant.example/oauth/client.json';

  test('leads an owner to the form, which holds the address', async () => {
    const owner = await signedIn();
    const page = await owner.get(authorize(stranger));
    expect([page.status, page.location]).toEqual([400, undefined]);
    const form = `${registerPath}?${new URLSearchParams({ metadata_url: stranger })}`;
    expect(page.html).toContain(form);
    expect((await owner.get(form)).html).toContain(`value="${stranger}"`);
  });

  test('tells everybody else what to ask an owner for, in both languages', async () => {
    const page = await (await employee()).get(authorize(stranger));
    expect(page.html).toContain('Ask an owner to register it');
    expect(page.html).not.toContain(registerPath);
    const nobody = await new Browser(dealkeep).get(`${authorize(stranger)}&language=sk`);
    expect(nobody.html).toContain('Požiadajte vlastníka');
    expect(nobody.html).toContain(`npx dealkeep oauth-apps create --metadata-url ${stranger}`);
  });
});
