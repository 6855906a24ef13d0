/** Texts of flows that were published, for the commands that read flows. */
import type { FlowName } from '../kernel/ids.ts'
import { postgresFlowRevisions } from '../store/calls/flow-revisions.ts'
import type { CliContext } from './place/cli-context.ts'
import { remarkOnPlace } from './place/data-place.ts'
import { withDatabase } from './place/with-database.ts'
import { noFlow } from './publish-flow.ts'

/** Everything but the text, which alone may be on standard output. */
type Context = CliContext & { readonly complain: (line: string) => void }

/** `switchboard flow show`: prints the text of a revision, by default the live one. 1 if there is none. */
export async function flowText(flow: string, wanted: string | undefined, context: Context): Promise<number> {
  const text = await storedText(flow, wanted, context)
  if (text === undefined) return 1
  context.write(text.replace(/\n$/, ''))
  return 0
}

/** The text of a revision, by default of the live one; undefined after a complaint. */
export async function storedText(
  flow: string,
  wanted: string | undefined,
  { settings, complain }: Pick<Context, 'settings' | 'complain'>,
): Promise<string | undefined> {
  let text: string | undefined
  await withDatabase({ settings, write: complain }, async ({ pools }) => {
    const revisions = postgresFlowRevisions(pools)
    const listed = await revisions.revisions(flow as FlowName)
    const found = listed.find(({ revision, isLive }) => (wanted === undefined ? isLive : revision === wanted))
    text = found && (await revisions.read(found.revision))?.text
    if (listed.length === 0) complain(await noFlow(revisions, flow))
    else if (!found) complain(`${flow} has no revision ${wanted}; "flow revisions ${flow}" lists them`)
    const remark = remarkOnPlace('read from', settings)
    if (remark !== undefined) complain(remark)
    return 0
  })
  return text
}
