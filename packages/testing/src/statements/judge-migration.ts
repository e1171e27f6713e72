import { listOf, nodeOf, type Part, partOf, textOf } from './syntax-tree.ts';

/** Those before are older than the first scale-out: no distributed database runs them. */
export const migrationsJudgedFrom = '0060';

/** Why Citus cannot run a part of a migration where tables of records are distributed, and what to write instead. */
export const migrationRules = {
  'constraint within a new column':
    'Add the column, and then the constraint by an `add constraint` of its own.',
  'key to a table of the first server':
    'No row of another server can refer to it: leave the key away, and check it in the program.',
  trigger: 'There are none on distributed tables.',
  'constraint that may be gone': 'A scale-out takes keys away: `drop constraint if exists`.',
} as const satisfies Readonly<Record<string, string>>;
export type MigrationRefusal = keyof typeof migrationRules;

const refusedInColumns = ['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_UNIQUE', 'CONSTR_PRIMARY'];

const tableOf = (part: Part | undefined, name = 'relation'): string | undefined =>
  textOf(partOf(part, name), 'relname');

/**
 * What Citus refuses of the statements of a migration.
 *
 * @param records the tables that are distributed before it runs; one that it makes itself is distributed afterwards
 */
export function judgeMigration(tree: Part, records: readonly string[]): MigrationRefusal[] {
  const isOfRecords = (table: string | undefined): boolean => table !== undefined && records.includes(table);
  return listOf(tree, 'stmts').flatMap((each): MigrationRefusal[] => {
    const statement = partOf(each as Part, 'stmt');
    if (isOfRecords(tableOf(nodeOf('CreateTrigStmt', statement)))) return ['trigger'];
    const altered = nodeOf('AlterTableStmt', statement);
    if (!isOfRecords(tableOf(altered))) return [];
    return listOf(altered, 'cmds').flatMap((one) => ofCommand(nodeOf('AlterTableCmd', one), isOfRecords));
  });
}

function ofCommand(
  command: Part | undefined,
  isOfRecords: (table: string | undefined) => boolean,
): MigrationRefusal[] {
  const definition = partOf(command, 'def');
  switch (textOf(command, 'subtype')) {
    case 'AT_AddColumn': {
      const constraints = listOf(nodeOf('ColumnDef', definition), 'constraints');
      const kinds = constraints.map((each) => textOf(nodeOf('Constraint', each), 'contype') ?? '');
      return kinds.some((kind) => refusedInColumns.includes(kind)) ? ['constraint within a new column'] : [];
    }
    case 'AT_AddConstraint': {
      const constraint = nodeOf('Constraint', definition);
      const isKey = textOf(constraint, 'contype') === 'CONSTR_FOREIGN';
      return isKey && !isOfRecords(tableOf(constraint, 'pktable'))
        ? ['key to a table of the first server']
        : [];
    }
    case 'AT_DropConstraint':
      return command?.['missing_ok'] === true ? [] : ['constraint that may be gone'];
    default:
      return [];
  }
}

export interface SeededMigration {
  readonly text: string;
  readonly found: readonly MigrationRefusal[];
}

/** What the judge must find; `npm run test:citus` holds it to Citus. */
export const seededMigrations: readonly SeededMigration[] = [
  {
    text: 'alter table leads add column rank integer not null default 0 check (rank >= 0)',
    found: ['constraint within a new column'],
  },
  {
    text: `alter table leads add column rank integer not null default 0;
           alter table leads add constraint leads_rank check (rank >= 0) not valid`,
    found: [],
  },
  {
    text: 'alter table leads add column remark uuid references organizations',
    found: ['constraint within a new column'],
  },
  {
    text: 'alter table contacts add foreign key (organization_id) references organizations not valid',
    found: ['key to a table of the first server'],
  },
  {
    text: `alter table contacts add column lead_id uuid;
           alter table contacts add constraint contacts_lead foreign key (organization_id, lead_id) references leads`,
    found: [],
  },
  {
    text: `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
           create trigger refused before insert on leads for each row execute function refuse()`,
    found: ['trigger'],
  },
  {
    text: 'alter table leads drop constraint leads_organization_id_owner_id_fkey',
    found: ['constraint that may be gone'],
  },
  { text: 'alter table leads drop constraint if exists leads_organization_id_owner_id_fkey', found: [] },
  { text: 'alter table organizations add column rank integer check (rank >= 0)', found: [] },
  { text: 'create index leads_noted on leads (organization_id, note)', found: [] },
];
