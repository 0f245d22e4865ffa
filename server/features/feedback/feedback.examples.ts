import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const feedbackExamples = examplesOf(feedbackApi, (r) => {
  const query = {
    bc_id: [r.bc_id],
    site_id: r.site,
    assignee_id: r.person,
    manager_id: r.person,
    id: r.feedback,
  }
  const one = { id: r.feedback, version: 0 }
  return {
    list: { query },
    export: { query },
    details: { query: { id: r.feedback } },
    dossier: { query: { id: r.feedback } },
    enter: {
      body: {
        site_id: r.site,
        kind: 'complaint',
        level: 1,
        about: 'person',
        about_id: r.person,
        channel: 'phone',
        words: '工人没有穿鞋套',
        pictures: [r.upload],
        of_id: r.feedback,
      },
    },
    accept: { body: { ...one, level: 1, assignee_id: r.person } },
    answer: { body: { id: r.feedback, answers: 0, words: '明天上门', pictures: [r.upload] } },
    transfer: { body: { ...one, assignee_id: r.person, reason: '换人' } },
    raise: { body: { ...one, level: 2, reason: '严重' } },
    lower: { body: { ...one, level: 1, reason: '没事' } },
    escalate: { body: { ...one, reason: '太久' } },
    pause: { body: { ...one, pauseFor: 'owner', reason: '等业主定颜色' } },
    resume: { body: one },
    correct: { body: { ...one, problem: '墙面重刷', assignee_id: r.person } },
    close: { body: { ...one, cause: 'works', result: '重新刷过' } },
    thank: { body: { ...one, words: '谢谢您' } },
    cancel: {
      body: {
        ...one,
        cause: 'repeated',
        reason: '同一件事',
        of_id: r.feedback,
        cancelled: [r.correction],
        kept: [r.correction],
      },
    },
    reopen: { body: { ...one, reason: '又漏了' } },
    score: { body: { ...one, score: 3, words: '' } },
    callback: { body: { ...one, words: '已经说明' } },
    release: { body: one },
  }
})
