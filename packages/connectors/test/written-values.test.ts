import { operations } from '@dealkeep/contract';
import { writtenMoments, writtenNumbers } from '@dealkeep/testing/written-values';
import { describe, expect, test } from 'vitest';
import { filledIn } from '../src/forms/filled-in.ts';
import { formFields } from '../src/forms/form-field.ts';
import { readMoment } from '../src/forms/read-moment.ts';
import { readNumber } from '../src/forms/read-number.ts';

const invoice = formFields(operations['invoices.create'].body).filter(({ children }) => children);
const lead = formFields(operations['leads.create'].body);
const linesOf = (...items: Record<string, unknown>[]) => filledIn(invoice, { items })['items'];
const line = (name: unknown, quantity: unknown, price: unknown, more = {}) => ({
  items__name: name,
  items__quantity: quantity,
  items__unit_price: price,
  ...more,
});

describe('a written number has one reading (rule connectors 15)', () => {
  test.each(writtenNumbers)('%j is %j', (text, number) => {
    const reading = readNumber(text);
    expect(reading?.is === 'number' ? reading.value : reading?.is).toBe(number);
  });

  test('one that can be two is refused with both', () => {
    expect(() => filledIn(lead, { value: '1,234' })).toThrow(
      'Value: "1,234" can be 1234 or 1.234. Write the one that it is, without a comma.',
    );
    expect(() => linesOf(line('Bike', 1, '-1,234'))).toThrow('Items 1, Unit Price: "-1,234" can be');
  });

  test('every decimal is kept where it is sent as text', () => {
    expect(readNumber('1 250,50')).toMatchObject({ digits: '1250.50' });
  });
});

describe('a written moment has one reading (rule connectors 17)', () => {
  test.each(writtenMoments)('%j is %j', (text, utc) => {
    const reading = readMoment(text, 'Europe/Bratislava');
    expect(reading?.is === 'moment' ? reading.utc : reading).toBe(utc);
  });

  test('an hour that clocks show twice, or never, is none', () => {
    expect(readMoment('2026-10-25T02:30', 'Europe/Bratislava')).toEqual({ is: 'twice' });
    expect(readMoment('2026-03-29T02:30', 'Europe/Bratislava')).toEqual({ is: 'never' });
    expect(readMoment('2026-10-25T02:30+01:00', 'Europe/Bratislava')).toMatchObject({ is: 'moment' });
  });
});

describe('the columns of line items (rule connectors 16)', () => {
  const two = [
    { name: 'City bike', quantity: 1, unit_price: 10 },
    { name: 'Bell', quantity: 2, unit_price: 20 },
  ];

  test('are lines where each holds as many values, as lists or joined by commas', () => {
    expect(linesOf(line('City bike,Bell', '1,2', '10,20'))).toEqual(two);
    expect(linesOf(line('City bike, Bell', '1, 2', '10, 20'))).toEqual(two);
    expect(linesOf(line(['City bike', 'Bell'], [1, 2], '10,20'))).toEqual(two);
    const beside = line('City bike,Bell', '1,2', '10,20');
    expect(filledIn(invoice, beside)['items']).toEqual(two);
  });

  test('of which one alone holds a comma are one line', () => {
    expect(linesOf(line('City bike', 2, '450,20'))).toEqual([
      { name: 'City bike', quantity: 2, unit_price: 450.2 },
    ]);
    expect(linesOf(line('Bike, red', '1', '450.20'))).toEqual([
      { name: 'Bike, red', quantity: 1, unit_price: 450.2 },
    ]);
  });

  test('of which lists say how many lines there are have one value for each line', () => {
    expect(linesOf(line(['City bike', 'Bell'], '1', ['10', '20'], { items__unit: 'pc, new' }))).toEqual([
      { name: 'City bike', quantity: 1, unit_price: 10, unit: 'pc' },
      { name: 'Bell', quantity: 1, unit_price: 20, unit: 'new' },
    ]);
  });

  test.each<[Record<string, unknown>, string]>([
    [line('City bike,Bell', '1,2,3', '10,20'), 'Item Name holds 2, Unit Price holds 2, Quantity holds 3'],
    [line('City bike,Bell', '1', '10,20'), 'Item Name holds 2, Unit Price holds 2, Quantity holds 1'],
    [line('City bike', '1,2', '10,20'), 'Item Name holds 1, Unit Price holds 2, Quantity holds 2'],
    [line('City bike', '1,2,3', '10'), 'Item Name holds 1, Unit Price holds 1, Quantity holds 3'],
    [line(['A', 'B', 'C'], 1, ['10', '20']), 'Item Name holds 3, Unit Price holds 2, Quantity holds 1'],
    [line(['A', 'B', 'C'], 1, '10,20'), 'Item Name holds 3, Unit Price holds 2, Quantity holds 1'],
  ])('that do not agree are refused with how many each holds: %j', (item, counts) => {
    const refusal = `Items: It cannot be told which values belong to one line: ${counts}.`;
    expect(() => linesOf(item)).toThrow(refusal);
    expect(() => linesOf(item, line('Lock', 1, 5))).toThrow(refusal.replace('Items', 'Items 1'));
  });
});
