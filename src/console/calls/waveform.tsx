/** The shape of a recording, one band for each channel, as a slider that goes to a place of it. */
import type { KeyboardEvent, PointerEvent } from 'react'
import type { AnswerOf } from '../../client/request.ts'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import { length } from './call-wording.ts'
import css from './recording.module.css'
import { RECORDING_TEXTS } from './recording-texts.ts'
import type { Player } from './use-player.ts'

export type Peaks = AnswerOf<'GET /rest/core/corefile/peaks'>

/** How far an arrow key goes, and the pages of the keyboard. */
const STEP_SECONDS = 5
const PAGE_SECONDS = 30
/** Samples of 8 bit; quiet talk would be a flat line, so the loudest stretch fills the band. */
const LEAST_LOUD = 16

interface WaveformProps {
  /** Undefined: there are none, and the slider is a plain line. */
  readonly peaks: Peaks | undefined
  readonly wholeSeconds: number
  readonly player: Player
}

/** The slider. */
export function Waveform({ peaks, wholeSeconds, player }: WaveformProps) {
  const texts = useTexts(RECORDING_TEXTS)
  const { atSeconds, seek } = player
  const share = wholeSeconds > 0 ? Math.min(1, atSeconds / wholeSeconds) : 0
  const now = fill(texts.placeNow, { place: length(atSeconds), whole: length(wholeSeconds) })
  const channels = peaks?.channels ?? []
  const names = channels.length === 2 ? [texts.theirs, texts.ours] : [texts.both]
  const onPointerDown = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    seek(((clientX - left) / width) * wholeSeconds)
  }
  return (
    <div className={css.wave}>
      {channels.length > 0 && (
        <div className={css.channels} aria-hidden="true">
          {names.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </div>
      )}
      <div
        role="slider"
        tabIndex={0}
        className={css.slider}
        aria-label={texts.place}
        aria-valuemin={0}
        aria-valuemax={Math.round(wholeSeconds)}
        aria-valuenow={Math.round(atSeconds)}
        aria-valuetext={now}
        onPointerDown={onPointerDown}
        onKeyDown={(event) => goByKey(event, player, wholeSeconds)}
      >
        {channels.length === 0 ? <div className={css.line} /> : <Bands channels={channels} share={share} />}
        <div className={css.head} style={{ insetInlineStart: `${share * 100}%` }} />
      </div>
    </div>
  )
}

/** What is heard already is drawn over what is to come. */
function Bands({ channels, share }: { readonly channels: Peaks['channels']; readonly share: number }) {
  const loudest = Math.max(LEAST_LOUD, ...channels.map(({ min, max }) => Math.max(...max, -Math.min(...min))))
  return channels.map(({ min, max }, channel) => {
    const count = max.length
    const path = pathOf(min, max, loudest)
    return (
      // Channels have no other name than their place.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <svg key={channel} className={css.band} viewBox={`0 -1 ${count} 2`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} className={css.ahead} />
        <path d={path} className={css.heard} style={{ clipPath: `inset(0 ${100 - share * 100}% 0 0) fill-box` }} />
      </svg>
    )
  })
}

/** One bar for each stretch; silence is a thin line. */
function pathOf(min: readonly number[], max: readonly number[], loudest: number): string {
  const thin = 0.03
  return max
    .map((high, at) => {
      const [top, bottom] = [Math.max(thin, high / loudest), Math.min(-thin, (min[at] ?? 0) / loudest)]
      return `M${at} ${(-top).toFixed(3)}h1V${(-bottom).toFixed(3)}h-1Z`
    })
    .join('')
}

function goByKey(event: KeyboardEvent, { skip, seek }: Player, wholeSeconds: number): void {
  const acts: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowUp: () => skip(STEP_SECONDS),
    ArrowDown: () => skip(-STEP_SECONDS),
    PageUp: () => skip(PAGE_SECONDS),
    PageDown: () => skip(-PAGE_SECONDS),
    Home: () => seek(0),
    End: () => seek(wholeSeconds),
  }
  const act = acts[event.key]
  if (!act) return
  event.preventDefault()
  act()
}

/** Space, and left and right: wherever the focus is within a recording, but for buttons, which have their own. */
export function playByKey(event: KeyboardEvent, { toggle, skip }: Player): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event)) return
  if (event.key === ' ') toggle()
  else if (event.key === 'ArrowRight') skip(STEP_SECONDS)
  else if (event.key === 'ArrowLeft') skip(-STEP_SECONDS)
  else return
  event.preventDefault()
}

function isBusy({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.matches('input, textarea, select') || (key === ' ' && target.matches('button, a'))
}
