import { fieldsOf, type Order, resources, type Text, text } from '@dealkeep/contract';
import { type OrderStep, type PaymentStep, setPaymentStatus, stepOrder } from '@dealkeep/core';
import { consoleStep } from './console-step.ts';
import type { Step } from './record-kind.ts';

/** The words of a state, as the record's field names them. */
function stateText(field: 'status' | 'payment_status', state: string): Text {
  const order = fieldsOf(resources.order.schema).find(({ name }) => name === field);
  return order?.description?.choices?.[state] ?? text(state, state);
}

const endsOrder: readonly OrderStep[] = ['cancelled', 'returned'];

const marked = (label: Text): Text => text(`Mark as: ${label.en}`, `Označiť: ${label.sk}`);

export const orderStep = (status: OrderStep): Step => {
  const label = stateText('status', status);
  const ends = endsOrder.includes(status);
  const stock = ends
    ? text('Its stock is free again.', 'Jej zásoby sú opäť voľné.')
    : text('Steps in between are left out.', 'Kroky medzitým sa vynechajú.');
  return consoleStep(
    {
      name: status.replaceAll('_', '-'),
      label: marked(label),
      about: text(
        `The order becomes “${label.en}”. ${stock.en} This cannot be taken back.`,
        `Objednávka bude v stave „${label.sk}“. ${stock.sk} Nedá sa to vrátiť.`,
      ),
      asks: ends,
      danger: ends,
    },
    {
      resource: 'order',
      permission: 'orders.edit',
      idField: 'uuid',
      work: (core, organization, uuid) => stepOrder(core, organization, { uuid, status }),
    },
  );
};

export const paymentStep = (payment_status: PaymentStep): Step => {
  const label = stateText('payment_status', payment_status);
  const refunds: Order['payment_status'] = 'refunded';
  const ends = payment_status === refunds;
  return consoleStep(
    {
      name: `payment-${payment_status}`,
      label: text(`Payment: ${label.en}`, `Platba: ${label.sk}`),
      about: text(
        `The payment becomes “${label.en}”. No money is moved by this.`,
        `Platba bude v stave „${label.sk}“. Peniaze sa tým neprevádzajú.`,
      ),
      asks: ends,
      danger: ends,
    },
    {
      resource: 'order',
      permission: 'orders.edit',
      idField: 'uuid',
      work: (core, organization, uuid) => setPaymentStatus(core, organization, { uuid, payment_status }),
    },
  );
};
