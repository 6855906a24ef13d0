import type { DatabaseNotification } from '../../src/ports/dialer-repository.ts'
import type { DialerRepositoryWithStops } from '../support/stop-control.ts'

/** The spurious notifications, in case the real ones were lost. */
export const TOLD_ANYWAY: readonly DatabaseNotification[] = ['orders', 'tasks']

/** What each change is to be told as. Whatever is not listed changes nothing that anybody waits for. */
export const NEWS: { readonly [Name in keyof DialerRepositoryWithStops]?: DatabaseNotification } = {
  saveCampaign: 'orders',
  pauseCampaign: 'orders',
  setKillSwitch: 'orders',
  importCallTasks: 'tasks',
  endCallTask: 'tasks',
  changeCallTask: 'tasks',
  addStop: 'tasks',
  removeStop: 'tasks',
  setCallback: 'tasks',
  recordOutcome: 'tasks',
  keepPlace: 'tasks',
  taskOfNumber: 'tasks',
  doNotCall: 'tasks',
  correctToMachine: 'tasks',
  finishCall: 'deliveries',
}
