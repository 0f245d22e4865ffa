import type { Endpoint, InputOf } from '@zhuguan/contract/kit/api.ts'

/** Ids of records of one branch: what an example names. */
export interface Records {
  bc_id: string
  store: string
  site: string
  /** A contact of `site`, and a time when its owner is expected. */
  contact: string
  /** A telephone of `contact` that asks to be let in. */
  homeDevice: string
  videoGrant: string
  reception: string
  /** What somebody of that home said. */
  message: string
  device: string
  /** The device's serial number, and that of one that is bound nowhere. */
  sn: string
  spare: string
  alarm: string
  correction: string
  /** Of `alarm`. */
  pair: string
  visit: string
  /** Of `device`, and what is held of it. */
  recording: string
  hold: string
  tidiness: string
  violation: string
  promise: string
  /** Of `site`: a case that nobody was asked about yet, and its picture. */
  case: string
  casePicture: string
  /** The file of `casePicture` that may be shown. */
  caseKey: string
  question: string
  warning: string
  feedback: string
  /** What patrols look at, when, each time of it, one that `person` began, its first item. */
  patrolTemplate: string
  patrolPlan: string
  patrolTask: string
  patrol: string
  patrolItem: string
  worker: string
  /** A face of `worker` that a terminal must forget. */
  faceRemoval: string
  /** A paper of `worker`. */
  document: string
  person: string
  /** Who calls. */
  me: string
  /** What somebody of that home asked about what is kept of them. */
  personRequest: string
  /** In charge of the site. */
  steward: string
  manager: string
  /** A place where `person` is signed in. */
  session: string
  /** A picture that `person` has uploaded for nothing yet. */
  upload: string
  /** A picture of the site. */
  picture: string
  /** Made up for `worker` on `site`. */
  makeup: string
  /** Lists that `person` has handed in, by what is imported. */
  accountsImport: string
  deviceStockImport: string
  sitesImport: string
  workersImport: string
  /** What is sold, and who takes its orders. */
  product: string
  package: string
  packageItem: string
  category: string
  customer: string
  customerContact: string
  /** Promised to `customer` before the signature; the sheet that it made for `site`. */
  earlyPromise: string
  handover: string
  followUp: string
  quotation: string
  /** Of `quotation`, and a link to it; something that is composed for `customer`. */
  quotationVersion: string
  share: string
  preview: string
  /** Of `quotation`, signed, with money paid; an item of it, a draft of a change, a refund that waits. */
  contract: string
  contractItem: string
  change: string
  refund: string
  /** A link to `note`, and a firm that carries goods. */
  link: string
  carrier: string
  /** A channel of messages of the whole group, and a message that has gone through it. */
  channel: string
  channelMessage: string
  /** Of `contract`, placed with `receiver`; a line of it, a note, a trip. */
  order: string
  orderLine: string
  note: string
  /** Of `note`, and its way back. */
  goodsChange: string
  leg: string
  trip: string
  /** Of `receiver`: a statement, a line of it, a payment, a line by hand that waits. */
  statement: string
  owedLine: string
  payment: string
  charge: string
  receiver: string
  productsImport: string
  customersImport: string
  /** Waits for approval, and what is to be approved. */
  examine: string
  examined: string
  view: string
  /** Of `store`: what a wall shows, and a wall that shows it. */
  arrangement: string
  screen: string
  /** An absence of `person` that is to come. */
  absence: string
  /** What `person` said to a figure of theirs. */
  supervisionRemark: string
  /** What `person` looks at. */
  liveView: string
  notification: string
  /** Roles and pages are the whole group's. */
  role: string
  page: string
  /** What the page stands under in the menu. */
  group: string
}

export type Example<E extends Endpoint = Endpoint> = InputOf<E> & {
  /**
   * What a strange id in a field is answered with where that is not 403: it is passed over without a word (200), or
   * reads like one that was never there (400). By the field's whole path, or by its first word.
   */
  answers?: Record<string, 200 | 400>
}
/** Where what a call takes depends on what it does, one example of each. */
type Examples<A extends Record<string, Endpoint>> = {
  [K in keyof A]?: Example<A[K]> | readonly Example<A[K]>[]
}
export type ExamplesOf = (records: Records) => [path: string, example: Example][]

/**
 * A well-formed call of each of an API's endpoints that take an id or a body, with every id that it may take. The
 * authorization matrix puts other people's ids in their place; whoever adds such an endpoint adds its example.
 */
export const examplesOf =
  <A extends Record<string, Endpoint>>(api: A, of: (records: Records) => Examples<A>): ExamplesOf =>
  (records) =>
    Object.entries(of(records)).flatMap(([name, one]) =>
      [one].flat().map((example): [string, Example] => [api[name]!.path, example as Example]),
    )
