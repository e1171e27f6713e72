import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { monitoringFolder, readAlerts, readDashboard } from './monitoring-files.ts';

const alerts = await readAlerts();
const dashboard = await readDashboard();

test('every alert says what is wrong and how it is mended, in sentences, and the dashboard takes any data source', () => {
  for (const { alert, annotations } of alerts) {
    expect(annotations.summary.length, alert).toBeGreaterThan(20);
    expect(annotations.description, alert).toMatch(/^[A-Z`].{30,}\.$/s);
  }
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  expect(dashboard.templating.list).toContainEqual(
    expect.objectContaining({ name: 'datasource', type: 'datasource' }),
  );
  for (const { type, title, datasource } of dashboard.panels) {
    if (type !== 'row') expect(datasource?.uid, title).toMatch(/^\$\{datasource\}$/);
  }
});

test('every alert fires in a test of promtool, and one beside it stays quiet', async () => {
  const tests = await readFile(join(monitoringFolder, 'alerts.test.yml'), 'utf8');
  for (const { alert } of alerts) {
    expect(tests).toContain(`name: ${alert} fires`);
    expect(tests).toContain(`name: ${alert} is quiet`);
  }
});
