/** A corporation's own statuses on top of the eight; both always agree (contract.md §3.1, rules 1 to 4). */
import { assert } from '../kernel/assert.ts'
import type { CustomStatusId } from '../kernel/ids.ts'
import { CASE_STATUS, type CaseRecord, type CaseStatus, type CustomStatus } from '../ports/cases.ts'

/**
 * The custom status of a request: the named one if it agrees with the requested status, else the default of that
 * status. A retired one can only be kept. Undefined: the custom status does not exist.
 */
export function chooseCustom(
  request: { readonly status?: CaseStatus; readonly custom?: CustomStatusId },
  now: Pick<CaseRecord, 'status' | 'custom'> | undefined,
  all: readonly CustomStatus[],
): CustomStatus | undefined {
  const named =
    request.custom ?? (request.status === now?.status || request.status === undefined ? now?.custom : undefined)
  if (named === undefined) return defaultOf(request.status ?? CASE_STATUS.open, all)
  const found = all.find(({ id }) => id === named)
  if (!found || !(found.active || found.id === now?.custom)) return undefined
  return request.status === undefined || request.status === found.status ? found : defaultOf(request.status, all)
}

/** The default custom status of a status. Every corporation has one for each. */
export function defaultOf(status: CaseStatus, all: readonly CustomStatus[]): CustomStatus {
  const found = all.find((custom) => custom.status === status && custom.isDefault)
  assert(found, `a corporation has no default custom status of status ${status}`)
  return found
}

/** The custom status after a reopening: the last open one, if still in use. */
export function reopened({ lastOpen }: Pick<CaseRecord, 'lastOpen'>, all: readonly CustomStatus[]): CustomStatus {
  const last = all.find(({ id }) => id === lastOpen)
  return last?.active && last.status === CASE_STATUS.open ? last : defaultOf(CASE_STATUS.open, all)
}
