/** Where a delivery has failed on its way: `stage` of the lines of the log that tell it. */
export type DeliveryStage = 'lease' | 'sign' | 'send' | 'write';
