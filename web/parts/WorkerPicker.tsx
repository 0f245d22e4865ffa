import { Lookup } from './pickers.tsx'
import { findWorkers } from './workers.tsx'

export const WorkerPicker = (p: { value: string | null; onChange: (id: string | null) => void }) => (
  <Lookup {...p} label="工人" find={findWorkers} />
)
