/**
 * The checks of the judge that cannot pass, by the reason: it looks for things that only a server made for it has. A
 * check that fails and does not stand here fails the run, and so does one that stands here and passes.
 */
export const baseline: Readonly<Record<string, readonly string[]>> = {
  'It calls a tool that only a server made for it has, such as test_simple_text': [
    'elicitation-sep1034-general',
    'elicitation-sep1330-general',
    'json-schema-2020-12-tool-found',
    'sep-2322-elicitation-incomplete',
    'sep-2322-list-roots-incomplete',
    'sep-2322-multi-round-r1',
    'sep-2322-multiple-inputs-incomplete',
    'sep-2322-reject-tampered-state',
    'sep-2322-request-state-incomplete',
    'sep-2322-respect-client-capabilities',
    'sep-2322-result-type-included',
    'sep-2322-sampling-incomplete',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-missing-capability-http-400',
    'sep-2575-server-no-log-without-loglevel',
    'sep-2575-server-rejects-undeclared-capability',
    'tools-call-audio',
    'tools-call-elicitation',
    'tools-call-embedded-resource',
    'tools-call-error',
    'tools-call-image',
    'tools-call-mixed-content',
    'tools-call-sampling',
    'tools-call-simple-text',
    'tools-call-with-progress',
  ],
  'It gets a prompt that only a server made for it has, such as test_simple_prompt': [
    'completion-complete',
    'prompts-get-embedded-resource',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-with-image',
    'sep-2322-non-tool-incomplete',
  ],
  'It reads a resource that only a server made for it has, such as test://static-text': [
    'resources-read-binary',
    'resources-read-text',
    'resources-templates-read',
  ],
  'It demands what a server offers that keeps a connection: subscriptions to resources, and messages of a log':
    ['logging-set-level', 'resources-subscribe', 'resources-unsubscribe', 'tools-call-with-logging'],
  'It demands arguments that are repeated in headers for proxies (x-mcp-header); no tool asks for that': [
    'sep-2243-server-decode-base64',
    'sep-2243-server-no-xmcp-tool',
    'sep-2243-server-reject-invalid-param-chars',
    'sep-2243-server-reject-param-mismatch',
    'sep-2243-server-validate-param-match',
  ],
};

/** Scenarios of the extension Tasks (SEP-2663), which is not offered: no call takes long enough to come back for. */
export const isLeftOut = (scenario: string): boolean => scenario.startsWith('tasks-');
