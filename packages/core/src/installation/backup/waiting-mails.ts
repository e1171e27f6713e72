import { WaitingMail } from '../../change/queue/mail-jobs.ts';
import { damagedBackup } from './backup-file.ts';

const longestMail = 1024 * 1024;

/** The mails of a backup's section, one after another. Raises OperatorError for what is none. */
export async function* readMails(data: AsyncIterable<Buffer>): AsyncGenerator<WaitingMail> {
  let text = '';
  for await (const chunk of data) {
    text += chunk.toString('latin1');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    if (text.length > longestMail) throw damagedBackup('a mail is too long');
    for (const line of lines) yield readMail(Buffer.from(line, 'latin1').toString());
  }
}

function readMail(line: string): WaitingMail {
  try {
    return WaitingMail.parse(JSON.parse(line));
  } catch {
    throw damagedBackup('a mail is not as it was written');
  }
}
