/** Variables that the engine sets, with their members; null if the members are unknown here. */
export const ENGINE_ROOTS: Readonly<Record<string, readonly string[] | null>> = {
  caller: ['number'],
  call: ['id', 'called', 'startedAt'],
  task: null,
  env: null,
}
