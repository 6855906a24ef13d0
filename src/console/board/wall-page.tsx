/** The board for the big screen in the room: the same data, twice as large, dark, nothing to press. */
import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { PRODUCT } from '../look/brand.tsx'
import { TOKENS } from '../look/colours.ts'
import { useNewVersion } from '../stream/new-version.ts'
import { useTexts } from '../texts/language.tsx'
import css from './board.module.css'
import { BOARD_TEXTS } from './board-texts.ts'
import { BoardView } from './board-view.tsx'
import { useDirectory } from './use-directory.ts'
import { useLive } from './use-live.ts'

/** Whoever listens and sees nothing but a wall has left: it does not say so, and has no way to leave. */
const WALL = { wall: true }
const DARK = Object.fromEntries(Object.entries(TOKENS.dark).map(([name, colour]) => [`--sb-${name}`, colour]))

/** The page; it takes the filters of the board's address. */
export function WallPage() {
  const texts = useTexts(BOARD_TEXTS)
  const live = useLive(WALL)
  const { directory, isStopped } = useDirectory()
  const [params] = useSearchParams()
  const [team, campaign] = ['team', 'campaign'].map((name) => (params.get(name) ? Number(params.get(name)) : undefined))
  const filter = useMemo(() => ({ team, campaign }), [team, campaign])
  useNewVersion(true)
  useEffect(() => {
    document.title = `${texts.title} – ${PRODUCT}`
  }, [texts])
  return (
    <div className={css.wall} style={DARK}>
      <h1 className={css.title}>{texts.title}</h1>
      <BoardView live={live} directory={directory} isStopped={isStopped} filter={filter} />
    </div>
  )
}
