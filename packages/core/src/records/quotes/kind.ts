import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { countQuotes, getQuote, listQuotes, quotes } from './record.ts';
import { acceptQuote, createQuote, rejectQuote, sendQuote } from './write.ts';

export const quote = {
  table: quotes,
  verbs: {
    'quotes.list': listQuotes,
    'quotes.count': countQuotes,
    'quotes.get': getQuote,
    'quotes.create': createQuote,
    'quotes.send': sendQuote,
    'quotes.accept': acceptQuote,
    'quotes.reject': rejectQuote,
  },
} as const satisfies RecordKind;
