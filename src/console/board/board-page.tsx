/** The live board of a supervisor: what is wrong first, then agents, calls, queues and campaigns. */
import { useEffect, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { PRODUCT } from '../look/brand.tsx'
import { PATHS } from '../shell/paths.ts'
import { useFocusBack } from '../shell/use-focus-back.ts'
import { useNewVersion } from '../stream/new-version.ts'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { ACT_TEXTS } from './act-texts.ts'
import type { RowAct } from './agent-row.tsx'
import css from './board.module.css'
import { AgentDialog, EffectDialog, WhyDialog } from './board-dialogs.tsx'
import { rowOf } from './board-rows.ts'
import { BOARD_TEXTS } from './board-texts.ts'
import { BoardView } from './board-view.tsx'
import { Sentence } from './sentence.tsx'
import { SupervisionBar } from './supervision-bar.tsx'
import { type Acts, type CampaignAct, useActs } from './use-acts.ts'
import { useDirectory } from './use-directory.ts'
import { type Live, useLive } from './use-live.ts'

/** The page. */
export function BoardPage() {
  const texts = useTexts(BOARD_TEXTS)
  const live = useLive()
  const acts = useActs()
  const known = useDirectory()
  useEffect(() => {
    document.title = `${texts.title} – ${PRODUCT}`
  }, [texts])
  return (
    <div className={css.page}>
      <h1 className={css.title}>{texts.title}</h1>
      <Work live={live} acts={acts} known={known} />
      <Answer acts={acts} />
    </div>
  )
}

type Wanted =
  | { readonly kind: 'agent'; readonly userName: string; readonly act: 'pause' | 'logOut' }
  | { readonly kind: 'effect'; readonly callCode: number; readonly act: CampaignAct }
  | { readonly kind: 'why'; readonly callCode: number }

interface WorkProps {
  readonly live: Live
  readonly acts: Acts
  readonly known: ReturnType<typeof useDirectory>
}

function Work({ live, acts, known }: WorkProps) {
  const texts = useTexts(ACT_TEXTS)
  const boardTexts = useTexts(BOARD_TEXTS)
  const { directory, isStopped } = known
  const [wanted, setWanted] = useState<Wanted>()
  // Whoever listens goes on listening after it.
  useNewVersion(wanted === undefined)
  useFocusBack(wanted !== undefined)
  const [params] = useSearchParams()
  const [team, campaign] = ['team', 'campaign'].map((name) => numberOf(params.get(name)))
  const filter = useMemo(() => ({ team, campaign }), [team, campaign])
  const { rows } = live.subscription
  const handlers = useMemo(() => {
    const nameOf = (userName: string) => plainText(directory.people.get(userName)?.name ?? userName)
    const onRow = (act: RowAct, userName: string, callKey: string | undefined) => {
      const name = nameOf(userName)
      const freshness = live.client.freshness()
      if (freshness === 'grey' || freshness === 'signedOut') return acts.say(texts.old, name)
      const row = rowOf(rows, 'agent', userName)
      const node = row?.node
      if (node)
        return acts.say(
          texts.elsewhere.replace('{node}', () => plainText(node)),
          name,
        )
      if (act === 'pause' || act === 'logOut') return setWanted({ kind: 'agent', userName, act })
      if (act === 'ready') {
        const ends = row?.state === 'wrapUp' || row?.state === 'paused'
        if (!ends) return acts.say(texts.notWrapUp, name)
        const { sinceTs } = row
        return acts.setState(userName, name, { state: 'ready', ...(sinceTs !== null && { sinceTs }) })
      }
      return callKey === undefined ? acts.say(texts.noCall, name) : acts.supervise(callKey, act, name)
    }
    const onWish = (wish: CampaignAct | 'why', callCode: number) =>
      setWanted(wish === 'why' ? { kind: 'why', callCode } : { kind: 'effect', callCode, act: wish })
    return { onRow, onWish }
  }, [acts, directory, live, rows, texts])
  return (
    <>
      <BoardView live={live} directory={directory} isStopped={isStopped} filter={filter} acts={handlers}>
        <Filters directory={directory} />
      </BoardView>
      {known.error && (
        <p className={css.answer} role="alert">
          {boardTexts.unnamed}
        </p>
      )}
      <SupervisionBar acts={acts} directory={directory} />
      {wanted && <Dialog wanted={wanted} live={live} acts={acts} known={known} onClose={() => setWanted(undefined)} />}
    </>
  )
}

/** In the address, so that it can be sent to a colleague. */
function Filters({ directory }: Pick<WorkProps['known'], 'directory'>) {
  const texts = useTexts(BOARD_TEXTS)
  const [params, setParams] = useSearchParams()
  const choose = (name: string, value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  /** What the address names and the list lacks still filters, and is seen to. */
  const unknownOf = (name: string, options: readonly { readonly id: number }[]) => {
    const id = numberOf(params.get(name))
    if (id === undefined || options.some((one) => one.id === id)) return null
    return <option value={id}>{fill(texts.unknownOne, { id })}</option>
  }
  const select = (name: 'team' | 'campaign', options: readonly { readonly id: number; readonly title: string }[]) => (
    <div className={css.filter}>
      <label htmlFor={`board-${name}`}>{texts[name]}</label>
      <select
        id={`board-${name}`}
        value={numberOf(params.get(name)) ?? ''}
        onChange={(event) => choose(name, event.currentTarget.value)}
      >
        <option value="">{texts.all}</option>
        {unknownOf(name, options)}
        {options.map(({ id, title }) => (
          <option key={id} value={id}>
            {plainText(title)}
          </option>
        ))}
      </select>
    </div>
  )
  return (
    <>
      {select(
        'team',
        directory.teams.map(({ ucquId, name }) => ({ id: ucquId, title: name })),
      )}
      {select(
        'campaign',
        directory.campaigns.map(({ callCode, name }) => ({ id: callCode, title: name })),
      )}
      <Link href={`${PATHS.boardWall}?${params}`} className={css.wallLink}>
        {texts.wall}
      </Link>
    </>
  )
}

interface DialogProps extends WorkProps {
  readonly wanted: Wanted
  readonly onClose: () => void
}

function Dialog({ wanted, live, acts, known: { directory }, onClose }: DialogProps) {
  if (wanted.kind === 'agent') {
    const { userName, act } = wanted
    const name = plainText(directory.people.get(userName)?.name ?? userName)
    const done = (reason: string) => {
      acts.setState(userName, name, { state: act === 'pause' ? 'paused' : 'loggedOut', reason })
      onClose()
    }
    return <AgentDialog name={name} what={act} onDone={done} onClose={onClose} />
  }
  const { callCode } = wanted
  const row = rowOf(live.subscription.rows, 'campaign', callCode)
  const name = plainText(row?.name ?? directory.campaigns.find((one) => one.callCode === callCode)?.name ?? '')
  if (wanted.kind === 'why') return <WhyDialog callCode={callCode} name={name} onClose={onClose} />
  const done = () => {
    acts.change(callCode, name, wanted.act)
    onClose()
  }
  return <EffectDialog callCode={callCode} name={name} row={row} act={wanted.act} onDone={done} onClose={onClose} />
}

/** What came of the last act; it keeps its place while there is nothing to say. */
function Answer({ acts: { said } }: { readonly acts: Acts }) {
  return (
    <p className={css.answer} role="status" data-refused={said?.isRefused || undefined}>
      {said && <Sentence text={said.text} values={{ name: said.name }} />}
    </p>
  )
}

function numberOf(text: string | null): number | undefined {
  const value = Number(text ?? '')
  return text && Number.isSafeInteger(value) ? value : undefined
}
