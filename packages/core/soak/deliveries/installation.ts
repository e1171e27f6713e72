import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect, type Database, migrate, newSecretsKey, noLimits } from '@dealkeep/core/foundations';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@dealkeep/embedded-postgres';
import { makeOrganization } from '../../bench/deliveries/organization.ts';
import { presenceClass } from '../../src/change/queue/worker-presence.ts';
import { type RunningProgram, startProgram } from '../../test/deliveries/running-program.ts';

const steppingClock = fileURLToPath(new URL('./stepping-clock.ts', import.meta.url));

/** A database with its usual, durable settings, and two programs on it, each with API and worker. */
export class Installation {
  readonly sql: Database;
  readonly token: string;
  readonly organization: string;
  readonly #dataDir: string;
  readonly #secretsKey: string;
  #server: EmbeddedPostgres;
  readonly #programs: (RunningProgram | undefined)[] = [undefined, undefined];
  #clockOffsetMs = 0;

  private constructor(
    dataDir: string,
    server: EmbeddedPostgres,
    sql: Database,
    { id, token }: { id: string; token: string },
  ) {
    this.#dataDir = dataDir;
    this.#secretsKey = newSecretsKey();
    this.#server = server;
    this.sql = sql;
    this.token = token;
    this.organization = id;
  }

  static async start(dataDir: string): Promise<Installation> {
    const server = await startEmbeddedPostgres({ dataDir });
    await migrate(server.url);
    const sql = connect(server.url, { connections: 2, name: 'soak', limits: noLimits });
    const installation = new Installation(dataDir, server, sql, await makeOrganization(sql));
    await installation.stepClock(0);
    await installation.#startPrograms();
    return installation;
  }

  get databaseUrl(): string {
    return this.#server.url;
  }

  /** Of any of the programs that run; empty while none does. */
  anyBaseUrl(): string {
    const running = this.#programs.filter((program) => program !== undefined);
    return running[Math.floor(Math.random() * running.length)]?.baseUrl ?? '';
  }

  async post(path: string, body: object): Promise<void> {
    const answer = await fetch(this.anyBaseUrl() + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201)
      throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
  }

  /** Ends any one of the programs. */
  async endOne(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.#end(Math.floor(Math.random() * this.#programs.length), signal);
  }

  /** Ends all of them at once. */
  async endAll(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await Promise.all(this.#programs.map((_, which) => this.#end(which, signal)));
  }

  async restartDatabase(): Promise<void> {
    const { port } = this.#server;
    await this.#server.stop();
    this.#server = await startEmbeddedPostgres({ dataDir: this.#dataDir, port });
  }

  /** SIGKILL to the server's first process; the others notice and end, too. */
  async killDatabase(): Promise<void> {
    const { port } = this.#server;
    const [pid] = (await readFile(join(this.#dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    await this.#server.exited;
    await this.#server.stop();
    this.#server = await startEmbeddedPostgres({ dataDir: this.#dataDir, port });
  }

  /** Sets the clock of the programs, not that of the database. */
  async stepClock(byMs: number): Promise<void> {
    this.#clockOffsetMs += byMs;
    await writeFile(this.#clockFile, String(this.#clockOffsetMs));
    for (const program of this.#programs) if (program) process.kill(program.pid, 'SIGUSR2');
  }

  /** Starts whichever program is down. One that has ended by itself is a failure. */
  async startMissing(): Promise<void> {
    for (const program of this.#programs) {
      if (program?.ended() !== undefined)
        throw new Error(`A program has ended by itself: ${program.ended()}\n${program.output()}`);
    }
    await this.#startPrograms();
  }

  /**
   * Nobody has asked for anything in any minute. Each program that ends takes 5 % of the requests of its minute with
   * it (rule rate-limits 4), and a clock that is set back lives through minutes again: twenty ends within one use it
   * up, and with no more changes there would be nothing to deliver.
   */
  async forgetRequests(): Promise<void> {
    await this.sql`delete from rate_windows`;
  }

  /** For whoever has to find out why something does not go on. */
  async state(): Promise<object> {
    return {
      rows: await this.sql`
        select d.*, clock_timestamp() as now,
               d.worker_id in (select objid::bigint::integer from pg_locks
                               where locktype = 'advisory' and classid = ${presenceClass}) as worker_lives,
               w.name, w.target_url, w.disabled_reason, w.failing_since, w.idle_since,
               (select json_agg(json_build_array(a.number, a.started_at, a.duration_ms, a.status, a.failure,
                                                 a.next_attempt_at) order by a.number, a.id)
                from attempts a where a.event_id = d.event_id and a.webhook_id = d.webhook_id) as log
        from deliveries d left join webhooks w on w.id = d.webhook_id order by d.due_at limit 20`,
      waiting: await this.sql`
        select worker_id, attempts, count(*)::integer as deliveries, min(due_at) as first_due_at,
               max(due_at) as last_due_at
        from deliveries group by 1, 2 order by 1, 2`,
      server: await this.sql`
        select application_name, state, wait_event, count(*)::integer as connections from pg_stat_activity
        where application_name like 'dealkeep%' group by 1, 2, 3 order by 1`,
      clockOffsetMs: this.#clockOffsetMs,
      ended: this.#programs.map((program) => program?.ended()),
      output: this.#programs.map((program) => program?.output()),
    };
  }

  async stop(): Promise<void> {
    await this.endAll('SIGKILL');
    await this.sql.end({ timeout: 1 });
    await this.#server.stop();
  }

  async #end(which: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const program = this.#programs[which];
    this.#programs[which] = undefined;
    await program?.end(signal);
  }

  get #clockFile(): string {
    return join(this.#dataDir, 'clock-offset');
  }

  /** Tries again while the database refuses. */
  async #startPrograms(): Promise<void> {
    const target = {
      databaseUrl: this.#server.url,
      secretsKey: this.#secretsKey,
      variables: {
        LOG_LEVEL: 'error',
        NODE_OPTIONS: `--import=${steppingClock}`,
        CLOCK_OFFSET_FILE: this.#clockFile,
      },
    };
    for (let tries = 1; ; tries += 1) {
      try {
        const starts = this.#programs.map(async (program, which) => {
          this.#programs[which] = program ?? (await startProgram(target));
        });
        // Also those that succeed beside one that fails: none is started twice.
        await Promise.allSettled(starts);
        await Promise.all(starts);
        return;
      } catch (error) {
        if (tries === 5) throw error;
        await sleep(500);
      }
    }
  }
}
