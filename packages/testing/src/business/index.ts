export { type AddedProject, addProject, stageOf } from './add-project.ts';
export { type Business, openBusiness, recordText } from './business.ts';
export { defaultPipeline, lostReason } from './default-pipeline.ts';
export { type Cause, type Change, causes } from './event-causes.ts';
export { naming, plainRecord } from './plain-records.ts';
export { openSalon, type Salon } from './salon.ts';
export {
  type NewProduct,
  type OrderStep,
  openShop,
  type PaymentStep,
  type ProductChanges,
  type Shop,
  setPaymentStatus,
  stepOrder,
} from './shop.ts';
export { type UnseenRecords, unseenRecords } from './unseen-records.ts';
