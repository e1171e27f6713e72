import type { Fragment, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { Problem } from '../../foundations/problem.ts';
import {
  type ReferenceData,
  readReferenceData,
  touchReferenceData,
} from '../../identity/reference-data/reference-data.ts';
import { onOneServer } from '../../identity/tenancy/due-organizations.ts';
import type { StorageState } from '../../identity/tenancy/measure-storage.ts';
import { AuditEntries, insertEntries, rowOf } from '../audit/audit-log.ts';
import { happened, Outbox } from '../events/outbox.ts';
import type { Services } from '../services.ts';
import { endOf, type LastStatement, recordParts } from './last-statement.ts';
import { LastWrite, partsOf } from './last-write.ts';
import type { AuditEntryWithEvents, AuditedWork, Changing, Described, PartDone } from './verb.ts';

/** Whose records change. */
export interface OrganizationName {
  readonly id: string;
  readonly slug: string;
  /** Absent where there is room. */
  readonly storage?: StorageState;
}

/** What one attempt at a change has done and relied on; it is looked at when the attempt has failed. */
export interface ReliedOn {
  /** No answer was stored for its key, so the work was begun. */
  begun: boolean;
  /** The reference data that it took from memory, or the one with its own changes. */
  referenceData: ReferenceData | undefined;
  /** How often it has changed the small tables itself: each time made the version one higher. */
  renewals: number;
  /** Each part of the work gets a savepoint, because a part was refused in the attempt before. */
  readonly guarded: boolean;
  /** Parts were done without a savepoint, which is quicker while none is refused. */
  parted: boolean;
}

/** Raised to undo a transaction: a part was refused that had no savepoint. The next attempt gives one to each. */
export class PartRefused extends Error {}

/**
 * A refusal as an attempt without savepoints raises it: written late, it may be of another part than the one that
 * runs.
 */
const refusedPart = (error: unknown): unknown => (error instanceof Problem ? new PartRefused() : error);

/**
 * What a change has done in its transaction and not written yet: its last write, its events, its entries of the
 * audit log, and what waits for the commit.
 */
export class UnitOfWork {
  /** To be done when it is committed. */
  readonly afterwards: (() => Promise<void> | void)[] = [];
  readonly #core: Services;
  readonly #organization: string;
  readonly #now: string;
  readonly #relied: ReliedOn;
  readonly #outbox: Outbox;
  readonly #audit: AuditEntries;
  readonly #last: LastWrite;

  constructor(
    core: Services,
    { organization, now }: { readonly organization: OrganizationName; readonly now: string },
    relied: ReliedOn,
  ) {
    this.#core = core;
    this.#organization = organization.id;
    this.#now = now;
    this.#relied = relied;
    this.#outbox = new Outbox(organization, now);
    this.#audit = new AuditEntries(now);
    this.#last = new LastWrite((refusal) => (relied.parted ? refusedPart(refusal) : refusal));
  }

  /** What the work is given, in the transaction or in a savepoint of it. */
  changing(own: Transaction): Changing {
    const sql = this.#last.before(own);
    return {
      core: this.#core,
      sql,
      organization: this.#organization,
      now: this.#now,
      referenceData: () => this.#referenceData(sql),
      referenceDataAt: (version) => this.#referenceDataAt(sql, version),
      renewReferenceData: () => this.#renewReferenceData(sql),
      emit: (type, record, before) => this.#outbox.add(type, record, before),
      emitUpdated: (type, before, after) => this.#outbox.addUpdated(type, before, after),
      audited: (work, entriesOf) => this.#audited(own, work, entriesOf),
      describe: () => {},
      noted: () => own`noted as (select 1)`,
      write: (parts, refused) => this.#last.put(own, { parts, refused }),
      insert: (into, row) => this.#last.insert(own, into, row),
      afterCommit: (each) => void this.afterwards.push(each),
      part: (work) => (this.#relied.guarded ? this.#guardedPart(own, work) : this.#part(own, work)),
    };
  }

  /** Whether nothing but the last write is left, and nothing was taken from memory that may have changed. */
  get isWritten(): boolean {
    return !this.#relied.referenceData && this.#outbox.length === 0 && this.#audit.length === 0;
  }

  /** Sends the last write by itself. */
  async write(tx: Transaction): Promise<void> {
    await this.#last.write(tx);
  }

  /**
   * The last statement of the change, with all that is left to be written.
   *
   * @param auditEntry by which events came about that no entry of the change tells of
   * @param answer a part that stores what a repeat gets
   */
  async end(
    tx: Transaction,
    { auditEntry, answer }: { auditEntry: string | null; answer: Fragment | undefined },
  ): Promise<LastStatement> {
    const events = this.#outbox.rows(auditEntry);
    const entries = this.#audit.rows();
    const rest = { answer, version: this.#relied.referenceData?.version };
    // Records stand on other servers then than what is on its way: they go by a statement just before, in the same
    // round trip.
    if (!this.#core.placement.writesTogether) {
      const parts = tx`${happened(tx, events)}, ${recordParts(tx, this.#organization, { entries })}`;
      if (events.length + entries.length > 0) await this.#last.put(tx, { parts, refused: undefined });
      return endOf(this.#last.before(tx), this.#organization, events, rest);
    }
    const held = this.#last.take();
    const records = recordParts(tx, this.#organization, { write: held && partsOf(tx, held), entries });
    const end = endOf(tx, this.#organization, events, { records, ...rest });
    const written = () =>
      end.written().catch((error: unknown) => {
        throw this.#last.raised(error, held);
      });
    return { statement: end.statement, written };
  }

  async #referenceData(sql: Transaction): Promise<ReferenceData> {
    const { referenceDataCache } = this.#core;
    this.#relied.referenceData ??=
      referenceDataCache.known(this.#organization) ??
      (await referenceDataCache.current(sql, this.#organization));
    return this.#relied.referenceData;
  }

  async #referenceDataAt(sql: Transaction, version: number): Promise<ReferenceData> {
    const { referenceData, renewals } = this.#relied;
    if (referenceData && renewals > 0 && referenceData.version >= version) return referenceData;
    return this.#core.referenceDataCache.at(sql, this.#organization, version);
  }

  async #renewReferenceData(sql: Transaction): Promise<ReferenceData> {
    await touchReferenceData(sql, this.#organization);
    const referenceData = await readReferenceData(sql, this.#organization);
    this.#relied.referenceData = referenceData;
    this.#relied.renewals += 1;
    return referenceData;
  }

  async #audited<Result>(
    own: Transaction,
    work: (changing: Changing) => Promise<Result>,
    entriesOf: (done: AuditedWork<Result>) => readonly AuditEntryWithEvents[],
  ): Promise<Result> {
    const first = this.#outbox.length;
    const described: Described = {};
    let isNoted = false;
    const noted = (): Fragment => {
      // Not beside what the statement writes, where records stand on another server: it goes with the others.
      if (!this.#core.placement.writesTogether) return own`noted as (select 1)`;
      isNoted = true;
      const entries = entriesOf({ result: undefined, described, events: [] });
      const rows = entries.map((entry) => rowOf(entry, this.#now));
      return own`noted as (${onOneServer(own)} ${insertEntries(own, this.#organization, rows)})`;
    };
    const describe = (more: Described) => void Object.assign(described, more);
    const result = await work({ ...this.changing(own), describe, noted });
    if (isNoted) return result;
    const told = entriesOf({ result, described, events: this.#outbox.since(first) });
    for (const { events, ...entry } of told) this.#audit.add(entry, events);
    return result;
  }

  /** Without a savepoint, which is quicker while no part is refused. */
  async #part<Result>(
    own: Transaction,
    work: (changing: Changing) => Promise<Result>,
  ): Promise<PartDone<Result>> {
    this.#relied.parted = true;
    try {
      return { result: await work(this.changing(own)) };
    } catch (error) {
      throw refusedPart(error);
    }
  }

  /** In a savepoint: a part that is refused is undone, and what was said of it is forgotten. */
  async #guardedPart<Result>(
    own: Transaction,
    work: (changing: Changing) => Promise<Result>,
  ): Promise<PartDone<Result>> {
    await this.#last.write(own);
    // Taken before the part: a refusal is checked against it too, and the part may renew it and be undone.
    const referenceData = await this.changing(own).referenceData();
    const { renewals } = this.#relied;
    const [events, entries, waiting] = [this.#outbox.length, this.#audit.length, this.afterwards.length];
    try {
      const [result] = await inTransaction(own, async (inner) => {
        const done = await work(this.changing(inner));
        await this.#last.write(inner);
        return [done] as const;
      });
      return { result };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#last.take();
      this.#outbox.keepOnly(events);
      this.#audit.keepOnly(entries);
      this.afterwards.length = waiting;
      Object.assign(this.#relied, { referenceData, renewals });
      return { problem: error };
    }
  }
}
