import { expect, test } from 'vitest';
import { Problem } from '../../src/foundations/problem.ts';
import { Reception } from '../../src/foundations/reception/reception.ts';

const sender = { credential: 'key', organization: 'organization' };

test('a body in parts of any size is the same body', () => {
  const reception = new Reception();
  const body = Buffer.from(Array.from({ length: 60_000 }, (_, index) => index % 251));
  for (const size of [1, 7, 4096, 65_536]) {
    const arrival = reception.begin(sender);
    for (let at = 0; at < body.length; at += size) arrival.add(body.subarray(at, at + size));
    expect(arrival.complete().equals(body)).toBe(true);
    arrival.end();
  }
  expect(reception.begin(sender).complete()).toHaveLength(0);
});

test('a body in parts of one byte takes no more memory than it is counted for, twice at most (rule limits 6)', () => {
  const reception = new Reception();
  const arrival = reception.begin(sender);
  const before = process.memoryUsage().arrayBuffers;
  const part = Buffer.from('x');
  for (let count = 0; count < 300_000; count += 1) arrival.add(part);
  expect(reception.heldBytes).toBe(300_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000);
  arrival.end();
});

test('the memory of a body is given back when it ends, without waiting for a collection of garbage (rule limits 6)', () => {
  const reception = new Reception();
  const arrival = reception.begin(sender);
  arrival.add(Buffer.alloc(1000));
  arrival.add(Buffer.alloc(500_000));
  const bytes = arrival.complete();
  expect(bytes).toHaveLength(501_000);
  arrival.end();
  arrival.end();
  expect(bytes.buffer.byteLength).toBe(0);
  expect(reception.heldBytes).toBe(0);
});

test('a body for which there is no room counts for nobody', () => {
  const reception = new Reception({ credentialBytes: 1000, organizationBytes: 1500 });
  const first = reception.begin(sender);
  first.add(Buffer.alloc(900));
  const second = reception.begin({ ...sender, credential: 'other' });
  expect(() => second.add(Buffer.alloc(700))).toThrow(Problem);
  expect(reception.heldBytes).toBe(900);
  second.add(Buffer.alloc(600));
  second.end();
  first.end();
  expect(reception.heldBytes).toBe(0);
});
