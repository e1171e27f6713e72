import type { Catalogue } from '../errors.ts';

/** Of records whose state does not allow what was asked. */
export const recordMessages = {
  'record.precondition': {
    code: 'PRECONDITION_FAILED',
    en: 'The record is no longer the one that If-Match names. Read it again and decide anew.',
    sk: 'Záznam už nie je ten, ktorý uvádza If-Match. Načítajte ho znova a rozhodnite sa podľa neho.',
  },
  'lead.archived': {
    code: 'CONFLICT',
    en: 'The lead is archived and cannot be changed.',
    sk: 'Príležitosť je archivovaná a nedá sa meniť.',
  },
  'record.erased': {
    code: 'CONFLICT',
    en: 'The personal data of this record was erased, and the record takes no such data any more. Make a new one.',
    sk: 'Osobné údaje tohto záznamu boli vymazané a záznam už žiadne neprijme. Vytvorte nový.',
  },
  'record.changed': {
    code: 'CONFLICT',
    en: 'Somebody changed this record in the meantime. Read it again.',
    sk: 'Záznam medzitým niekto zmenil. Načítajte ho znova.',
  },

  'view.too_many': {
    code: 'CONFLICT',
    en: 'You have saved {max} views, as many as there can be. Remove one that you no longer need.',
    sk: 'Máte uložených {max} pohľadov, viac ich byť nemôže. Odstráňte niektorý, ktorý už nepotrebujete.',
  },
  'view.too_many_shared': {
    code: 'CONFLICT',
    en: 'Everybody sees {max} shared views of this list already. Keep this one for yourself, or ask for one to be removed.',
    sk: 'Tento zoznam má už {max} zdieľaných pohľadov. Nechajte si ho pre seba alebo požiadajte o odstránenie niektorého.',
  },
  'view.of_another': {
    code: 'FORBIDDEN',
    en: 'Only {name} and owners can change this view. Save one of your own instead.',
    sk: 'Tento pohľad môže zmeniť iba {name} a vlastníci. Uložte si radšej vlastný.',
  },

  'lookup.name_taken': {
    code: 'CONFLICT',
    en: 'There is already one named "{name}". Rename it first.',
    sk: 'Názov „{name}“ už má iný záznam. Najprv ho premenujte.',
  },
  'pipeline.default': {
    code: 'CONFLICT',
    en: 'This is the default pipeline. Make another one the default first.',
    sk: 'Toto je predvolená pipeline. Najprv nastavte ako predvolenú inú.',
  },
  'stage.last_open': {
    code: 'CONFLICT',
    en: 'This is the only open stage of its pipeline. Add another one first.',
    sk: 'Toto je jediná otvorená fáza svojej pipeline. Najprv pridajte inú.',
  },
  'stage.too_many_leads': {
    code: 'CONFLICT',
    en: 'Leads stand here ({count}); at most {max} are moved at once. Move some of them first, for example through the API.',
    sk: 'Sú tu príležitosti ({count}); naraz sa presunie najviac {max}. Najprv niektoré presuňte, napríklad cez API.',
  },
  'project_stage.too_many_tasks': {
    code: 'CONFLICT',
    en: 'Tasks stand here ({count}); at most {max} are moved at once. Move some of them first, for example through the API.',
    sk: 'Sú tu úlohy ({count}); naraz sa presunie najviac {max}. Najprv niektoré presuňte, napríklad cez API.',
  },
  'task.archived': {
    code: 'CONFLICT',
    en: 'The task is archived and cannot be changed.',
    sk: 'Úloha je archivovaná a nedá sa meniť.',
  },
  'invoice.partly_paid': {
    code: 'CONFLICT',
    en: 'Part of the invoice has been paid, so it cannot be cancelled.',
    sk: 'Časť faktúry je už uhradená, preto ju nemožno stornovať.',
  },
  'member.last_owner': {
    code: 'CONFLICT',
    en: 'This is the last active owner of the organization. Make somebody else an owner first.',
    sk: 'Toto je posledný aktívny vlastník organizácie. Najprv urobte vlastníkom niekoho iného.',
  },
  'role.in_use': {
    code: 'CONFLICT',
    en: 'People have this role: {members}. Give them another one first.',
    sk: 'Túto rolu majú ľudia: {members}. Najprv im dajte inú.',
  },
  'upsert.several': {
    code: 'CONFLICT',
    en: 'Several records have this value in {field}, so nothing was written. detail.ids names some of them: choose one, and update it by its ID.',
    sk: 'Túto hodnotu v poli {field} má viac záznamov, preto sa nič nezapísalo. Niektoré sú v detail.ids: vyberte jeden a upravte ho podľa ID.',
  },
  'client.exists': {
    code: 'CONFLICT',
    en: 'This company is a client already.',
    sk: 'Táto firma už je klientom.',
  },
  'activity.canceled': {
    code: 'CONFLICT',
    en: 'The activity was canceled and cannot be completed.',
    sk: 'Aktivita bola zrušená a nedá sa dokončiť.',
  },
  'booking.overlap': {
    code: 'CONFLICT',
    en: 'The staff member is already booked at that time. Choose another time or another person.',
    sk: 'Pracovník už má v tom čase rezerváciu. Vyberte iný čas alebo inú osobu.',
  },
  'delivery.under_way': {
    code: 'CONFLICT',
    en: 'This delivery is being sent at this moment. Look again in a few seconds.',
    sk: 'Toto doručenie sa práve odosiela. Pozrite sa znova o pár sekúnd.',
  },
  'delivery.all_held': {
    code: 'CONFLICT',
    en: 'Nothing is sent at this time: the operator holds all deliveries.',
    sk: 'Teraz sa nič neposiela: prevádzkovateľ pozastavil všetky doručenia.',
  },
  'delivery.webhook_held': {
    code: 'CONFLICT',
    en: 'Nothing is sent to this webhook at this time: the operator has paused it.',
    sk: 'Na tento webhook sa teraz nič neposiela: prevádzkovateľ ho pozastavil.',
  },
  'delivery.webhook_inactive': {
    code: 'CONFLICT',
    en: 'The webhook is disabled or paused, so nothing can be sent to it now. Enable it first.',
    sk: 'Webhook je vypnutý alebo pozastavený, preto sa naň teraz nedá odosielať. Najprv ho zapnite.',
  },
  'record.wrong_state': {
    code: 'CONFLICT',
    en: 'This is not possible while the state is "{state}".',
    sk: 'V stave „{state}“ to nie je možné.',
  },
  'order.external_id': {
    code: 'CONFLICT',
    en: 'There is already an order with this external_id from {source}.',
    sk: 'Objednávka s týmto external_id zo zdroja {source} už existuje.',
  },
  'product.sku': {
    code: 'CONFLICT',
    en: 'There is already a product with the SKU "{sku}".',
    sk: 'Produkt s SKU „{sku}“ už existuje.',
  },
} as const satisfies Catalogue;
