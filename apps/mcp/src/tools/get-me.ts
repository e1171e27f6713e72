import { type OperationDeclaration, operations } from '@dealkeep/contract';
import { callerLanguage } from '@dealkeep/core/accounts';
import { invalidField, localTime } from '@dealkeep/core/foundations';
import { today } from '../arguments/read-time.ts';
import { shownFields } from '../texts/shown.ts';
import { runOperation } from './run-operation.ts';
import { outputSchema } from './schema.ts';
import { showRecord } from './show-record.ts';
import type { Tool } from './tool.ts';

const me: OperationDeclaration = operations['me.get'];

/** Of an answer, what says nothing to whoever talks to a person. */
const measure = { text: 200, entries: 50 };

/**
 * Who is behind the connection, and what a model has to know of the organization before it speaks of days and of
 * money.
 */
export function getMeTool(): Tool {
  const { properties } = me.answer ? outputSchema(me.answer) : { properties: {} };
  return {
    listed: {
      name: 'get_me',
      title: 'Who am I, and what day is it',
      description:
        'Retrieve the user you act for, the organization with its currency and time zone, their language, the date and time there, and what this connection may do. Other tools take me for the user, and today for the date.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      outputSchema: {
        type: 'object',
        properties: {
          ...properties,
          language: { type: 'string' },
          today: { type: 'string' },
          weekday: { type: 'string' },
          local_time: { type: 'string' },
        },
        required: ['user', 'organization', 'language', 'today'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    operations: [me],
    set: undefined,
    usual: true,
    changes: false,
    async call(call) {
      const [unknown] = Object.keys(call.arguments);
      if (unknown !== undefined) throw invalidField(unknown, 'field.unknown');
      const { core, credential } = call;
      const { user, organization } = credential;
      const { value } = await runOperation(call, 'me.get', {});
      const now = core.clock.now();
      const day = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: organization.timeZone });
      return showRecord(me, {
        value: {
          user: { id: user.id, name: user.name, email: user.email },
          language: await callerLanguage(core, credential),
          today: today(call),
          weekday: day.format(now),
          local_time: localTime(now.toISOString(), organization.timeZone),
          ...shownFields(value, measure),
        },
        replayed: false,
      });
    },
  };
}
