import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { unique, type World } from './world.ts';

export function actionPromises(world: World): void {
  test('creates a company, updates it and empties a field', async () => {
    const name = unique('Železničná');
    const created = await world.act('create_company', {
      name,
      email: 'info@zel.example',
      phone: '1',
      city: 'Nitra',
    });
    expect(created).toMatchObject({ name, phone: '1', address: { city: 'Nitra', street: null } });
    const updated = await world.act('update_company', {
      id: created['id'],
      note: 'New note',
      email: '',
      fields_to_clear: ['phone'],
    });
    expect(updated).toMatchObject({ name, note: 'New note', phone: null, email: 'info@zel.example' });
  });

  test('creates a contact and updates it', async () => {
    const company = await world.act('create_company', { name: unique('Firm') });
    const contact = await world.act('create_contact', {
      company_id: company['id'],
      name: 'Ján',
      is_primary: 'yes',
    });
    expect(contact).toMatchObject({ name: 'Ján', is_primary: true, company: { id: company['id'] } });
    expect(await world.act('update_contact', { id: contact['id'], position: 'Owner' })).toMatchObject({
      position: 'Owner',
    });
  });

  test('creates a lead with its company and contact, moves it and archives it', async () => {
    const company = unique('Tatra');
    const lead = await world.act('create_lead', {
      name: 'Bikes',
      value: '1250.50',
      expected_close_date: '2027-01-31T00:00:00+01:00',
      company__name: company,
      contact__name: 'Eva Malá',
      contact__email: 'eva@tatra.example',
    });
    expect(lead).toMatchObject({
      value: 1250.5,
      expected_close_date: '2027-01-31',
      company: { name: company },
      contact: { name: 'Eva Malá', email: 'eva@tatra.example' },
      deduplicated: false,
    });
    const again = await world.act('create_lead', { dedupe: 'company', company__name: company });
    expect(again).toMatchObject({ id: lead['id'], deduplicated: true });

    const won = await world.act('move_lead', {
      id: lead['id'],
      pipeline_id: world.pipeline.id,
      stage_id: world.stage('won').id,
    });
    expect(won).toMatchObject({ status: 'won', stage: { kind: 'won' } });
    expect(await world.act('update_lead', { id: lead['id'], note: 'Paid' })).toMatchObject({
      note: 'Paid',
    });
    expect(await world.act('archive_lead', { id: lead['id'] })).toMatchObject({
      archived_at: expect.any(String),
    });
  });

  test('that the record does not allow stops the Zap and says why', async () => {
    const lead = await world.newLead();
    await world.act('archive_lead', { id: lead['id'] });
    const run = world.act('update_lead', { id: lead['id'], note: 'x' });
    await expect(run).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringMatching(/archived.*\.$/),
    });
  });

  test('with wrong values names the fields by their labels', async () => {
    const run = world.act('create_lead', {
      value: 'a lot',
      stage_id: '01985f6e-2c41-7f21-a6d4-93b07c5e8812',
      company__email: 'nobody',
      company__name: 'Firm',
    });
    const message = await run.then(
      () => '',
      (error: Error) => JSON.parse(error.message).message,
    );
    expect(message).toContain('Value: ');
    expect(message).toContain('Company Email: ');
    expect(message).not.toMatch(/422|VALIDATION|stage_id|company\.email/);
  });

  test('on a record that is not chosen, or gone, says so', async () => {
    await expect(world.act('move_lead', { id: '', stage_id: world.stage('won').id })).rejects.toThrow(
      'Nothing is chosen',
    );
    const unknown = world.act('update_company', { id: randomUUID(), note: 'x' });
    await expect(unknown).rejects.toThrow('no such record');
  });
}
