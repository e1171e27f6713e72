/** The resources whose operations business-operations.real.ts uses; operations.real.ts uses those of all others. */
export const businessResources: readonly string[] = [
  'client',
  'activity',
  'task',
  'invoice',
  'booking',
  'order',
  'product',
];
