import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What the zone says to a name: addresses, the name it stands for, an error, or silence. */
export type ZoneAnswer =
  | string[]
  | { alias: string; addresses: string[] }
  | 'NXDOMAIN'
  | 'SERVFAIL'
  | 'silence';

/** A name server on this machine that answers A and AAAA questions from a function. */
export async function startNameServer(zone: (name: string, type: 'A' | 'AAAA') => ZoneAnswer): Promise<{
  address: string;
  questions: string[];
  close(): Promise<void>;
}> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query);
    const family = type === 28 ? 'AAAA' : 'A';
    questions.push(`${family} ${name}`);
    const answer = zone(name, family);
    if (answer === 'silence') return;
    const failed = typeof answer === 'string';
    const records = failed ? [] : recordsOf(answer, type);
    const head = Buffer.alloc(12);
    head.writeUInt16BE(query.readUInt16BE(0), 0);
    head.writeUInt16BE(0x8180 | (answer === 'NXDOMAIN' ? 3 : answer === 'SERVFAIL' ? 2 : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordsOf(answer: Exclude<ZoneAnswer, string>, type: number): Buffer[] {
  const addresses = Array.isArray(answer) ? answer : answer.addresses;
  const wanted = addresses.filter((address) => isIPv4(address) === (type === 1));
  const question = Buffer.from([0xc0, 12]);
  if (Array.isArray(answer)) return wanted.map((address) => record(question, type, addressBytes(address)));
  const alias = encodeName(answer.alias);
  return [record(question, 5, alias), ...wanted.map((address) => record(alias, type, addressBytes(address)))];
}

function record(name: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fixed, data]);
}

function addressBytes(address: string): Buffer {
  return Buffer.from(ipaddr.parse(address).toByteArray());
}

function encodeName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
