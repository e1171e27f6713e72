import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  head: string;
  body: string;
}

/** Sends bytes as they are and reads until the server closes or the answer is complete. */
export function rawRequest(origin: string, parts: readonly (string | Buffer)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const finish = () => {
      socket.destroy();
      const [head = '', ...rest] = text.split('\r\n\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
      resolve({ status, head, body: rest.join('\r\n\r\n') });
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isComplete(text)) finish();
    });
    socket.once('end', finish);
    socket.once('error', reject);
    for (const part of parts) socket.write(part);
  });
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (text.startsWith('HTTP/1.1 100')) return isComplete(text.slice(end + 4));
  if (/^transfer-encoding: chunked/im.test(text.slice(0, end))) return text.endsWith('0\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(text.slice(0, end))?.[1];
  return length !== undefined && text.length >= end + 4 + Number(length);
}
