export { keepDeliveryDay } from './delivered.figures.ts'
