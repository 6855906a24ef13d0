/** What every part of the board needs, given once. */
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { RowStore } from '../stream/row-store.ts'
import type { Directory } from './board-rows.ts'
import { rowOf } from './board-rows.ts'
import type { CallIndex } from './call-index.ts'

/** Of one board on the screen. */
export interface Board {
  readonly rows: RowStore
  readonly calls: CallIndex
  readonly directory: Directory
  /** Nothing can be done: the wall, or values that are too old. */
  readonly isQuiet: boolean
  /** The first snapshot has come: before it, nothing that is not there is missing. */
  readonly isKnown: boolean
}

const Context = createContext<Board | undefined>(undefined)

/** Around the parts of a board. */
export const BoardProvider = Context

/** Of the board around. */
export function useBoard(): Board {
  const board = useContext(Context)
  if (!board) throw new Error('a part of the board was drawn outside of it')
  return board
}

/** One row; the component is drawn again when it changes, and at no other row. */
export function useRow<Kind extends Parameters<typeof rowOf>[1]>(kind: Kind, key: string | number) {
  const { rows } = useBoard()
  useSyncExternalStore(
    (changed) => rows.subscribeRow(kind, key, changed),
    () => rows.row(kind, key),
  )
  return rowOf(rows, kind, key)
}

/** The call that an agent is in. */
export function useCallOf(userName: string): string | undefined {
  const { calls } = useBoard()
  return useSyncExternalStore(
    (changed) => calls.subscribe(userName, changed),
    () => calls.callOf(userName),
  )
}

/** The name of a campaign: as it dials, else as it is set. */
export function useCampaignName(callCode: number | undefined): string | undefined {
  const { directory } = useBoard()
  const row = useRow('campaign', callCode ?? '')
  return row?.name ?? directory.campaigns.find((one) => one.callCode === callCode)?.name
}

/** The name that people know somebody by. */
export function useNameOf(): (userName: string) => string {
  const { directory } = useBoard()
  return (userName) => directory.people.get(userName)?.name ?? userName
}
