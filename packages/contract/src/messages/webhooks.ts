import type { Catalogue } from '../errors.ts';

/** Of webhooks, their targets, and the numbers that an organization may have of things. */
export const webhookMessages = {
  'event_type.not_found': {
    code: 'NOT_FOUND',
    en: 'There is no event of this type. GET /webhooks/events lists all.',
    sk: 'Udalosť tohto typu neexistuje. Všetky vypíše GET /webhooks/events.',
  },
  'webhook.unknown_event': {
    code: 'UNKNOWN_EVENT',
    en: 'There is no event "{event}". GET /webhooks/events lists all.',
    sk: 'Udalosť „{event}“ neexistuje. Všetky vypíše GET /webhooks/events.',
  },
  'api_key.limit': {
    code: 'LIMIT_EXCEEDED',
    en: 'The organization has reached its maximum of {max} keys. Revoke one that is no longer needed.',
    sk: 'Organizácia dosiahla maximum {max} kľúčov. Zrušte niektorý, ktorý už nepotrebujete.',
  },
  'webhook.limit': {
    code: 'LIMIT_EXCEEDED',
    en: 'The organization has reached its maximum of {max} webhooks. Delete one that is no longer needed.',
    sk: 'Organizácia dosiahla maximum {max} webhookov. Zmažte niektorý, ktorý už nepotrebujete.',
  },
  'listen.limit': {
    code: 'LIMIT_EXCEEDED',
    en: 'This API key already has {max} streams of events open. End one of them, or use another key.',
    sk: 'Tento API kľúč už má otvorené {max} prúdy udalostí. Ukončite niektorý z nich alebo použite iný kľúč.',
  },
  'webhook.url_malformed': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'target_url is not a web address.',
    sk: 'target_url nie je webová adresa.',
  },
  'webhook.url_too_long': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'target_url is longer than {max} characters.',
    sk: 'target_url je dlhšia ako {max} znakov.',
  },
  'webhook.url_not_https': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'target_url must start with https://.',
    sk: 'target_url sa musí začínať https://.',
  },
  'webhook.url_user_information': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'target_url must not hold a user name or password.',
    sk: 'target_url nesmie obsahovať meno používateľa ani heslo.',
  },
  'webhook.url_port': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'target_url may use port 443 or a port from 1024 up.',
    sk: 'target_url môže použiť port 443 alebo porty od 1024 vyššie.',
  },
  'webhook.url_unresolvable': {
    code: 'WEBHOOK_URL_INVALID',
    en: 'The host of target_url cannot be found.',
    sk: 'Server z target_url sa nedá nájsť.',
  },
  'webhook.url_blocked': {
    code: 'WEBHOOK_URL_BLOCKED',
    en: 'The host of target_url is private or internal. Use a public address, or ask the operator to allow it.',
    sk: 'Server z target_url je súkromný alebo interný. Použite verejnú adresu alebo požiadajte prevádzkovateľa o povolenie.',
  },
} as const satisfies Catalogue;
