import { FORGETFUL, oneToOne, type Pacer, withinLimits } from './pacer-interface.ts'

/** One line for each idle agent: no call is abandoned unless an agent fails (dialing-rules.md 3.2). */
export const progressivePacer: Pacer<undefined> = {
  ...FORGETFUL,
  place: (snapshot) => withinLimits(oneToOne(snapshot.live), 'oneToOne', snapshot),
}
