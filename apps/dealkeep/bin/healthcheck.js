// For containers: exit 0 while this process answers, or when it listens nowhere.
const { ROLES, HOST, PORT, METRICS_TOKEN } = process.env;
const roles = (ROLES || 'api').split(',').map((role) => role.trim());
if (roles.includes('api') || METRICS_TOKEN) {
  const everywhere = !HOST || HOST === '0.0.0.0' || HOST === '::';
  const host = everywhere ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST;
  const answer = await fetch(`http://${host}:${PORT || 3000}/healthz`, {
    signal: AbortSignal.timeout(4000),
  }).catch(() => undefined);
  process.exitCode = answer?.ok ? 0 : 1;
}
