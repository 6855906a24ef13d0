import { type RefObject, useMemo, useRef, useState } from 'react'

/** A recording that is played: what the screen shows of it, and what may be done with it. */
export interface Player {
  readonly audio: RefObject<HTMLAudioElement | null>
  readonly isPlaying: boolean
  readonly hasFailed: boolean
  /** Where it is, in seconds from its beginning. */
  readonly atSeconds: number
  readonly toggle: () => void
  /** Goes to a place, and plays from there. */
  readonly playFrom: (seconds: number) => void
  /** Goes so far on, or back. */
  readonly skip: (seconds: number) => void
  readonly seek: (seconds: number) => void
  /** What the element is told to report. */
  readonly events: PlayerEvents
}

interface PlayerEvents {
  readonly onPlay: () => void
  readonly onPause: () => void
  readonly onEnded: () => void
  readonly onError: () => void
  readonly onTimeUpdate: () => void
}

/** The player of one recording; nothing is fetched before it is played, so that looking at a call hears nothing. */
export function usePlayer(wholeSeconds: number): Player {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const [atSeconds, setAt] = useState(0)
  const acts = useMemo(() => {
    const seek = (seconds: number) => {
      const within = Math.min(Math.max(0, seconds), wholeSeconds || Number.POSITIVE_INFINITY)
      if (audio.current) audio.current.currentTime = within
      setAt(within)
    }
    const play = () => {
      const element = audio.current
      if (!element) return
      // An element that failed asks again from its beginning only when it is loaded anew.
      const at = element.currentTime
      if (element.error) {
        element.load()
        element.currentTime = at
      }
      setFailed(false)
      // A refusal comes as an error of the element; being paused before it began is no fault.
      element.play().catch(() => {})
    }
    return {
      seek,
      skip: (seconds: number) => seek((audio.current?.currentTime ?? 0) + seconds),
      toggle: () => (audio.current?.paused ? play() : audio.current?.pause()),
      playFrom: (seconds: number) => {
        seek(seconds)
        play()
      },
      events: {
        onPlay: () => setPlaying(true),
        onPause: () => setPlaying(false),
        onEnded: () => setPlaying(false),
        onError: () => {
          setFailed(true)
          setPlaying(false)
        },
        onTimeUpdate: () => setAt(audio.current?.currentTime ?? 0),
      },
    }
  }, [wholeSeconds])
  return { audio, isPlaying, hasFailed, atSeconds, ...acts }
}
