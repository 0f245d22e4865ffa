import { useEffect } from 'react'

import { dropDraft, keepDraft, readDraft } from '../../parts/drafts.ts'
import { useActor } from '../../parts/session.ts'

/**
 * What was typed stays in this browser until the server has it: without a network, behind a closed drawer, over a
 * reload. Answers what forgets it.
 */
export function useKeptWords(
  key: string,
  words: string | null | undefined,
  put: (words: string) => void,
): () => void {
  const { id } = useActor()
  useEffect(() => {
    let isGone = false
    void readDraft<string>(id, key).then((kept) => {
      if (kept && !isGone) put(kept)
    })
    return () => {
      isGone = true
    }
  }, [id, key])
  useEffect(() => {
    if (words) void keepDraft(id, key, words)
  }, [id, key, words])
  return () => void dropDraft(id, key)
}
