// For containers: exit 0 while this process's API answers, or when it has none.
const roles = process.env.ROLES || 'api';
if (roles.split(',').includes('api')) {
  const answer = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).catch(() => undefined);
  process.exitCode = answer?.ok ? 0 : 1;
}
