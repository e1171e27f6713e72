import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

/** What operators load into Prometheus and Grafana. */
export const monitoringFolder = join(import.meta.dirname, '..', '..', '..', 'docs', 'monitoring');

const Alert = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.object({ summary: z.string(), description: z.string() }),
});

const Panel = z.object({
  type: z.string(),
  title: z.string(),
  datasource: z.object({ uid: z.string() }).optional(),
  targets: z.array(z.object({ expr: z.string() })).default([]),
});

const Dashboard = z.object({
  panels: z.array(Panel),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
});

export async function readAlerts(): Promise<z.infer<typeof Alert>[]> {
  const text = await readFile(join(monitoringFolder, 'alerts.yml'), 'utf8');
  const { groups } = z.object({ groups: z.array(z.object({ rules: z.array(Alert) })) }).parse(parse(text));
  return groups.flatMap(({ rules }) => rules);
}

export async function readDashboard(): Promise<z.infer<typeof Dashboard>> {
  return Dashboard.parse(JSON.parse(await readFile(join(monitoringFolder, 'dashboard.json'), 'utf8')));
}

/** What its panels ask Prometheus, with Grafana's variables filled in. */
export const queriesOf = ({ panels }: z.infer<typeof Dashboard>): string[] =>
  panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }) => expr.replaceAll('$job', 'dealkeep').replaceAll('$__rate_interval', '5m'));
