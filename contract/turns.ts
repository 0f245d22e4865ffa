import { aside, type Audience, defineTurns, turn } from './kit/audiences.ts'

/** Who had it and has to know what became of it. */
const HELD = { title: '责任人', named: true, informed: true } as const

/** Corrections of alarms and of everything else go by the same turns, each with rights of its own. */
const correction = (power: 'alarm' | 'correction') =>
  defineTurns({
    /** Whom the feedback behind it is about hears nothing of it. */
    assignee: {
      title: '责任人',
      named: true,
      right: `${power}:correct`,
      except: ['concerned'],
      otherwise: 'assigners',
    },
    relieved: { ...HELD, except: ['concerned'] },
    assigners: {
      title: '可以指派的人',
      right: `${power}:assign`,
      except: ['concerned'],
      otherwise: 'supervisors',
    },
    reviewers: {
      title: '可以复核的人',
      right: `${power}:review`,
      except: ['correctors', 'concerned'],
      otherwise: 'supervisors',
    },
    answerers: {
      title: '可以改派的人',
      right: `${power}:assign`,
      except: ['assignee', 'concerned'],
      otherwise: 'supervisors',
    },
    supervisors: { title: '主管', right: `${power}:supervise`, except: ['assignee', 'concerned'] },
  })({
    open: turn('assigners'),
    begin: turn('assignee'),
    assign: turn('assignee'),
    start: turn(),
    submit: turn('reviewers'),
    pass: turn(),
    back: turn('assignee'),
    dispute: turn('answerers', 'supervisors'),
    cancel: turn('relieved'),
    /** Somebody else has it now: who had it hears, besides. */
    takenOver: aside('relieved'),
    reopen: turn('assignee'),
    urgeAssign: aside('assigners'),
    urgeCorrect: aside('assignee'),
    urgeVerify: aside('reviewers'),
    urgeAnswer: aside('answerers', 'supervisors'),
    lateAssign: aside('assigners', 'supervisors'),
    lateCorrect: aside('assignee', 'supervisors'),
    lateVerify: aside('reviewers', 'supervisors'),
    lateAnswer: aside('answerers', 'supervisors'),
  })

/**
 * Whose turn it is: at each change of a record, who is told, and whether what was told before is done with. The server
 * turns the words into people in one place (docs/decisions/0360-whose-turn-it-is-hears-it.md).
 */
export const TURNS = {
  alarm: correction('alarm'),
  correction: correction('correction'),
  violation: defineTurns({
    manager: { title: '项目经理', named: true, right: 'violation:handle', otherwise: 'steward' },
    steward: { title: '项目管家', named: true, right: 'violation:object', otherwise: 'handlers' },
    handlers: { title: '可以处理的人', right: 'violation:handle' },
    judges: { title: '可以裁定的人', right: 'violation:handle', except: ['concerned'] },
    objector: { title: '申诉人', named: true, informed: true },
  })({
    add: turn('manager'),
    handle: turn(),
    object: turn('judges'),
    uphold: turn('objector'),
    withdraw: turn('objector'),
    lapse: turn('objector'),
    late: aside('judges'),
  }),
  promise: defineTurns({
    responsible: { title: '责任人', named: true, right: 'promise:keep', otherwise: 'supervisors' },
    relieved: HELD,
    supervisors: { title: '主管', right: 'promise:supervise', except: ['responsible'] },
  })({
    promise: turn('responsible'),
    extend: turn('relieved'),
    keep: turn('relieved'),
    object: turn('supervisors', 'relieved'),
    uphold: turn('relieved'),
    dismiss: turn('relieved'),
    break: turn('relieved'),
    withdraw: turn('relieved'),
    /** A newer promise took its place, or its home has ended. */
    lapse: turn('relieved'),
    hand: turn('responsible'),
    today: aside('responsible'),
    late: aside('responsible', 'supervisors'),
  }),
  customer: defineTurns({
    consultant: { title: '顾问', named: true, right: 'customer:follow', otherwise: 'leads' },
    relieved: { ...HELD, title: '原顾问' },
    leads: { title: '能分配客户的人', right: 'customer:assign' },
    cashiers: { title: '出纳', right: 'contract:pay' },
    signers: { title: '能签约的人', right: 'contract:sign' },
  })({
    enter: turn('consultant'),
    /** Into the pool of its store. */
    wait: turn('leads'),
    assign: turn('consultant'),
    hand: turn('consultant', 'relieved'),
    back: turn('relieved', 'leads'),
    lose: turn('relieved'),
    revive: turn('consultant'),
    merge: turn('consultant', 'relieved'),
    lateAnswer: aside('consultant', 'leads'),
    soonBack: aside('consultant'),
    askDeposit: aside('cashiers'),
    askSign: aside('signers'),
  }),
  handover: defineTurns({
    steward: { title: '项目管家', named: true, right: 'handover:confirm', otherwise: 'namers' },
    namers: { title: '能指派管家的人', right: 'site:edit' },
    consultant: { title: '顾问', named: true, right: 'customer:follow', otherwise: 'leads' },
    leads: { title: '能分配客户的人', right: 'customer:assign' },
  })({
    open: turn('steward'),
    ask: turn('consultant'),
    answer: turn('steward'),
    confirm: turn(),
  }),
  feedback: defineTurns({
    /** The person who keeps the home; whom the feedback is about hears nothing of it. */
    steward: {
      title: '项目管家',
      named: true,
      right: 'feedback:accept',
      except: ['concerned'],
      otherwise: 'supervisors',
    },
    assignee: {
      title: '责任人',
      named: true,
      right: 'feedback:handle',
      except: ['concerned'],
      otherwise: 'supervisors',
    },
    relieved: { title: '责任人', named: true, informed: true, except: ['concerned'] },
    supervisors: { title: '客服和总经理', right: 'feedback:supervise', except: ['concerned'] },
    /** Whom the ladder has brought in. */
    followers: { title: '升级到的人', named: true, except: ['concerned'] },
  })({
    enter: turn('steward', 'supervisors'),
    accept: turn('assignee'),
    answer: turn(),
    transfer: turn('assignee'),
    /** Somebody else has it now: who had it hears, besides. */
    takenOver: aside('relieved'),
    raise: aside('assignee', 'supervisors'),
    lower: aside('assignee'),
    escalate: aside('followers'),
    pause: turn(),
    resume: aside('assignee'),
    close: turn(),
    thank: turn(),
    cancel: turn('relieved'),
    reopen: turn('assignee', 'supervisors'),
    /** Whom the ladder had brought in hears of it too. */
    reopened: aside('followers'),
    lowScore: turn('supervisors'),
    callback: turn(),
    warnOpen: aside('steward', 'supervisors'),
    warn: aside('assignee'),
    step: aside('followers'),
  }),
  face: defineTurns({
    keepers: { title: '管设备的人', right: 'device:bind' },
  })({ ask: turn('keepers'), done: turn(), end: turn() }),
  owner: defineTurns({
    steward: { title: '项目管家', named: true },
    manager: { title: '项目经理', named: true },
    admitters: { title: '项目管家', named: true, right: 'owner:link', otherwise: 'linkers' },
    linkers: { title: '可以发业主链接的人', right: 'owner:link' },
    supervisors: { title: '客服和总经理', right: 'feedback:supervise', except: ['hand'] },
    granter: { title: '项目管家', named: true, right: 'owner:video', otherwise: 'granters' },
    granters: { title: '可以授权看现场的人', right: 'owner:video' },
  })({
    /** The home is another person's now: who works in it hears. */
    change: turn('steward', 'manager'),
    /** Somebody opened an owner's link on a device of theirs. */
    ask: turn('admitters'),
    /** One and the same person made the link and let in the device: a second one vouches for it. */
    alone: aside('supervisors'),
    /** A new link puts out the devices of before. */
    renew: aside('supervisors'),
    /** Somebody of the home wants to look: cameras and hours are the steward's to give. */
    agree: turn('granter'),
    grant: turn(),
    withdraw: turn('steward'),
  }),
  thread: defineTurns({
    steward: { title: '项目管家', named: true, right: 'thread:reply', otherwise: 'manager' },
    manager: { title: '项目经理', named: true, right: 'thread:reply', otherwise: 'answerers' },
    service: { title: '客服', named: true, right: 'thread:reply' },
    answerers: { title: '可以回复业主的人', right: 'thread:reply' },
  })({
    hear: aside('steward'),
    /** Whoever answers settles it for everybody. */
    answer: turn(),
    silence: turn(),
    /** The only word that waited was taken back. */
    quiet: turn(),
    /** Others keep the home now. */
    hand: turn('steward'),
    due: aside('steward'),
    late: aside('manager', 'service'),
  }),
  reception: defineTurns({
    host: { title: '接待人', named: true, otherwise: 'supervisors' },
    supervisors: { title: '客服和总经理', right: 'feedback:supervise', except: ['host'] },
    relieved: HELD,
  })({
    add: turn('host'),
    host: turn('host'),
    /** Somebody else receives them: who was to hears, besides. */
    relieved: aside('relieved'),
    arrive: turn('host'),
    finish: turn(),
    lowScore: turn('supervisors'),
    callback: turn(),
    miss: turn('host'),
    cancel: turn('host'),
  }),
  question: defineTurns({
    steward: { title: '项目管家', named: true, right: 'question:ask', otherwise: 'askers' },
    askers: { title: '可以问业主的人', right: 'question:ask' },
    asker: { title: '提问人', named: true, right: 'question:ask' },
    /** The cost of what costs money: who writes the change of the contract that must follow. */
    changers: { title: '可以变更合同的人', right: 'contract:change' },
  })({
    ask: turn('steward'),
    answer: turn('asker', 'steward'),
    costs: turn('asker', 'steward', 'changers'),
    /** Another of the home said something else. */
    differ: aside('asker', 'steward'),
    withdraw: turn('asker', 'steward'),
    /** Its home has ended, or is another owner's. */
    lapse: turn('asker', 'steward'),
    soon: aside('steward'),
    late: aside('steward'),
  }),
  person: defineTurns({
    verifiers: { title: '可以核实的人', right: 'person:verify' },
    /** Whoever verified may not execute. */
    executors: { title: '可以执行的人', right: 'person:execute', except: ['verifier'] },
  })({
    receive: turn('verifiers'),
    verify: turn('executors'),
  }),
  case: defineTurns({
    steward: { title: '项目管家', named: true, right: 'case:edit', otherwise: 'publishers' },
    publishers: { title: '可以上架案例的人', right: 'case:publish' },
    releasers: { title: '可以放行照片的人', right: 'case:release' },
  })({
    ask: turn(),
    mask: turn('releasers'),
    release: turn(),
    agree: turn('publishers', 'steward'),
    publish: turn(),
    refuse: turn('steward'),
    withdraw: turn('publishers', 'steward'),
    expire: turn('steward'),
    /** Thirty days before it is over: asked anew in time, or not at all. */
    soon: aside('steward'),
  }),
  order: defineTurns({
    receivers: { title: '接单方', receiver: true, right: 'order:receive' },
    answerers: { title: '接单方可以答复的人', receiver: true, right: 'order:answer' },
    author: { title: '下单人', named: true, right: 'order:place', otherwise: 'clerks' },
    clerks: { title: '可以下单的人', right: 'order:place' },
    asker: { title: '申请人', named: true, informed: true },
  })({
    place: turn('receivers'),
    accept: turn('author'),
    reject: turn('author'),
    split: aside('author'),
    recall: turn('receivers'),
    release: turn(),
    /** Their home has ended. */
    terminate: turn('receivers'),
    resubmit: turn('receivers'),
    urge: aside('receivers'),
    /** Who is told is who may answer; in a company that is both sides somebody else does. */
    askReceiver: turn('answerers'),
    askBuyer: turn('author'),
    /** The other side agreed, did not, or took its own request back. */
    tellReceiver: turn('answerers'),
    tellBuyer: turn('author'),
    lapse: turn('asker'),
    late: aside('receivers', 'author'),
    stopped: aside('author'),
  }),
  dispatch: defineTurns({
    author: { title: '下单人', named: true, right: 'order:place', otherwise: 'clerks' },
    clerks: { title: '可以下单的人', right: 'order:place' },
    receivers: { title: '接单方', receiver: true, right: 'order:receive' },
    acceptors: { title: '可以验收的人', right: 'accept:do', otherwise: 'clerks' },
    manager: { title: '项目经理', named: true },
    senders: { title: '接单方发货的人', receiver: true, right: 'dispatch:ship' },
  })({
    ship: turn('author'),
    replan: aside('author', 'receivers'),
    /** Under way and taken off its trip: nobody drives it now. */
    offTrip: aside('author', 'senders'),
    deliver: turn('acceptors'),
    handOver: turn('acceptors'),
    /** The rest of what was handed over in part goes on, and why is said. */
    partLeft: aside('author', 'senders'),
    judged: turn(),
    cancel: turn('author', 'receivers'),
    sendBack: turn('author', 'receivers'),
    /** The driver stood at the door and nobody took it: it is tried again. */
    nobodyThere: aside('author', 'senders', 'manager'),
    damaged: aside('acceptors'),
    carrierSays: aside('author'),
    pickupSoon: aside('author', 'manager'),
    pickupOver: aside('author', 'receivers'),
  }),
  goods: defineTurns({
    receivers: { title: '接单方', receiver: true, right: 'order:receive' },
    author: { title: '申请人', named: true, informed: true },
    judges: { title: '可以审核的人', right: 'examine:judge', except: ['author'] },
    supervisors: { title: '主管', right: 'examine:supervise' },
  })({
    ask: turn('receivers'),
    answer: turn('judges'),
    answered: aside('author'),
    approve: turn('receivers', 'author'),
    reject: turn('author', 'receivers'),
    withdraw: turn(),
    /** Goods that came back damaged: it may be disputed once, and an examiner decides. */
    damaged: turn('author'),
    disputed: turn('receivers'),
    decided: turn('receivers', 'author'),
    round: aside('supervisors'),
    late: aside('receivers', 'author', 'judges'),
  }),
  owedBack: defineTurns({
    askers: { title: '可以申请退款的人', right: 'contract:refund' },
  })({ owed: aside('askers') }),
  finalBill: defineTurns({
    settlers: { title: '可以办竣工结算的人', right: 'contract:settle' },
  })({
    begin: turn('settlers'),
    bill: turn(),
    /** A change was approved after it: it is to be written again. */
    again: turn('settlers'),
  }),
  examine: defineTurns({
    judges: {
      title: '可以审核的人',
      right: 'examine:judge',
      except: ['submitter'],
      otherwise: 'supervisors',
    },
    supervisors: { title: '主管', right: 'examine:supervise' },
    submitter: { title: '提交人', named: true, informed: true },
  })({
    ask: turn('judges'),
    withdraw: turn(),
    pass: turn('submitter'),
    reject: turn('submitter'),
    due: aside('judges'),
    late: aside('judges', 'supervisors'),
  }),
  statement: defineTurns({
    receivers: { title: '商家可以确认的人', right: 'statement:confirm', receiver: true },
    buyers: { title: '可以修改重发的人', right: 'statement:edit' },
    payers: { title: '可以付款的人', right: 'statement:pay' },
  })({
    send: turn('receivers'),
    recall: turn(),
    drop: turn(),
    agree: turn('payers'),
    dispute: turn('buyers'),
    revise: turn(),
    pay: aside('receivers'),
    paid: turn('receivers'),
    /** What was registered wrongly is open again. */
    reverse: turn('payers', 'receivers'),
  }),
} as const
export type TurnMachine = keyof typeof TURNS

/** The right that acting asks of people whom records name: who stands in for one of them needs it too. */
export const NAMED_RIGHTS: readonly string[] = [
  ...new Set(
    Object.values(TURNS)
      .flatMap(({ audiences }): Audience[] => Object.values(audiences))
      .flatMap(({ named, right }) => (named && right ? [right] : [])),
  ),
]
