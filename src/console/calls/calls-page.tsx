/** The list of calls that are over, newest first. Its filters stand in the address, for colleagues too. */
import { Button, Title } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { SwitchboardProblem } from '../../client/problem.ts'
import { PRODUCT } from '../look/brand.tsx'
import { BusyButton } from '../look/busy-button.tsx'
import { ask } from '../session/ask.ts'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import { CallFilterForm } from './call-filter-form.tsx'
import { askedOf, type FilterName, filterOf, searchWith } from './call-filter-query.ts'
import { CallTable } from './call-table.tsx'
import { type CallsTexts, zone } from './call-wording.ts'
import css from './calls.module.css'
import { CALLS_TEXTS } from './calls-texts.ts'

/** The page. */
export function CallsPage() {
  const texts = useTexts(CALLS_TEXTS)
  const [search, setSearch] = useSearchParams()
  const filter = filterOf(search)
  const page = useRef<HTMLElement>(null)
  const numberField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = `${texts.title} – ${PRODUCT}`
  }, [texts])
  // The keys of the page work while the focus is in it.
  const toPage = useCallback(() => page.current?.focus({ preventScroll: true }), [])
  useEffect(toPage, [toPage])
  const change = (name: FilterName, text: string) => setSearch(searchWith(filter, name, text), { replace: true })
  const [round, setRound] = useState(0)
  const clear = () => {
    setRound(round + 1)
    setSearch(new URLSearchParams(), { replace: true })
    toPage()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (event.key === 'j') goTo(page.current, 1)
    else if (event.key === 'k') goTo(page.current, -1)
    else if (event.key === '/') numberField.current?.focus()
    else return
    event.preventDefault()
  }
  return (
    <section ref={page} className={css.page} tabIndex={-1} aria-label={texts.title} onKeyDown={onKeyDown}>
      <header className={css.head}>
        <Title order={1}>{texts.title}</Title>
        <p className={css.hint}>{fill(texts.zone, { zone: zone() })}</p>
        <p className={`${css.hint} ${css.wide}`}>{texts.keys}</p>
      </header>
      <CallFilterForm filter={filter} onChange={change} onClear={clear} round={round} numberField={numberField} />
      <Found filter={filter} onClear={clear} toPage={toPage} />
    </section>
  )
}

interface FoundProps {
  readonly filter: ReturnType<typeof filterOf>
  readonly onClear: () => void
  /** Puts the focus on the page, where its keys work. */
  readonly toPage: () => void
}

function Found({ filter, onClear, toPage }: FoundProps) {
  const texts = useTexts(CALLS_TEXTS)
  const query = useInfiniteQuery({
    queryKey: ['calls', 'list', filter],
    queryFn: ({ pageParam }) => ask('GET /svcems/calls', { query: { ...askedOf(filter), ...pageParam } }),
    initialPageParam: {} as { readonly after?: string },
    // While others are fetched, those of the filter before stay: nothing jumps.
    placeholderData: keepPreviousData,
    getNextPageParam: ({ next }) => (next === null ? undefined : { after: next }),
  })
  const { data, error, isFetching, isPlaceholderData, hasNextPage, fetchNextPage, refetch } = query
  const again = () => void (query.isFetchNextPageError ? fetchNextPage() : refetch())
  const calls = data?.pages.flatMap((page) => page.calls) ?? []
  const { list, older } = useWay(calls.length, () => void fetchNextPage())
  // A button that is gone, or off while calls are fetched, has taken the focus with it, and the keys with the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown has changed
  useEffect(() => {
    if (document.activeElement === document.body) toPage()
  }, [data, error, toPage])
  if (error && calls.length === 0) return <Failed error={error} onAgain={again} />
  if (!data) return <p className={css.note}>{texts.loading}</p>
  if (calls.length === 0) return <Nothing isFiltered={Object.keys(filter).length > 0} onClear={onClear} />
  return (
    <>
      <section ref={list} className={css.card} aria-busy={isFetching} data-old={isPlaceholderData ? true : undefined}>
        <CallTable calls={calls} />
      </section>
      {error && <Failed error={error} onAgain={again} />}
      {hasNextPage ? (
        <BusyButton variant="default" className={css.more} isOff={isFetching} onClick={older}>
          {texts.more}
        </BusyButton>
      ) : (
        <p className={css.hint}>{texts.end}</p>
      )}
    </>
  )
}

/** The first of the older calls gets the focus when they are there: whoever asked for them goes on below. */
function useWay(count: number, fetchMore: () => void) {
  const list = useRef<HTMLElement>(null)
  const from = useRef<number>(undefined)
  useEffect(() => {
    if (from.current === undefined || count <= from.current) return
    list.current?.querySelectorAll<HTMLElement>('a[data-row]')[from.current]?.focus()
    from.current = undefined
  }, [count])
  const older = () => {
    from.current = count
    fetchMore()
  }
  return { list, older }
}

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const texts = useTexts(CALLS_TEXTS)
  if (!isFiltered) return <p className={css.note}>{texts.none}</p>
  return (
    <div className={css.note}>
      <p>{texts.noMatch}</p>
      <Button variant="default" onClick={onClear}>
        {texts.clear}
      </Button>
    </div>
  )
}

/** What went wrong, and what to do. */
function Failed({ error, onAgain }: { readonly error: Error; readonly onAgain: () => void }) {
  const texts = useTexts(CALLS_TEXTS)
  return (
    <div className={css.note} role="alert">
      <p>{reasonOf(error, texts)}</p>
      <Button variant="default" onClick={onAgain}>
        {texts.again}
      </Button>
    </div>
  )
}

function reasonOf(error: Error, texts: CallsTexts): string {
  const status = error instanceof SwitchboardProblem ? error.status : 0
  if (status === 403) return texts.forbidden
  return status === 400 ? texts.refused : texts.away
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select')
}

/** Moves the focus among the rows; the first key goes to the first row. */
function goTo(page: HTMLElement | null, step: 1 | -1): void {
  const rows = [...(page?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]?.focus()
}
