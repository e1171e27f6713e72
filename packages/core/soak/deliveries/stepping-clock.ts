// Loaded before a program (`node --import`). SIGUSR2 sets its clock off by the milliseconds that stand in the file
// CLOCK_OFFSET_FILE, as when somebody sets the clock of its machine; what measures durations goes on as it was.
import { readFileSync } from 'node:fs';

const RealDate = Date;
const readOffset = (): number => Number(readFileSync(String(process.env['CLOCK_OFFSET_FILE']), 'utf8'));
let offsetMs = readOffset();
process.on('SIGUSR2', () => {
  offsetMs = readOffset();
});

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, self) =>
    Reflect.construct(target, values.length === 0 ? [RealDate.now() + offsetMs] : values, self),
  apply: () => new Date().toString(),
  get: (target, property) =>
    property === 'now' ? () => RealDate.now() + offsetMs : Reflect.get(target, property, target),
});
