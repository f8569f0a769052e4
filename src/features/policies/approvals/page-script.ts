/** Writes each `<time data-countdown>` as the time that is left, with the end in the time zone of the reader. */
const COUNTDOWN = `
const times = [...document.querySelectorAll('time[data-countdown]')]
const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
const two = (number) => String(number).padStart(2, '0')
function left(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours > 0
    ? hours + ':' + two(minutes % 60) + ':' + two(seconds % 60)
    : minutes + ':' + two(seconds % 60)
}
function update() {
  for (const time of times) {
    const end = Date.parse(time.dateTime)
    const rest = end - Date.now()
    if (rest <= 0) return location.reload()
    time.textContent = left(rest) + ' (' + format.format(end) + ')'
  }
  setTimeout(update, 1000)
}
update()
`

const DOUBLE_CLICK_MS = 700

/**
 * A decision must be informed, and the bar with the buttons is on the first screen, above arguments that are further
 * down. So the buttons that allow the call are disabled until the end of the last argument has been above the bar; the
 * button "Continue reading" leads there.When it disappears, the others move; they are enabled
 * a moment later, so that the second click of a double click allows nothing (browsers do the same in their permission
 * prompts). "Deny" is enabled at once: it needs no reading. A long pause or a check box would not do, because people
 * learn to pass those without reading. Without scripts the bar is after the arguments (style.ts).
 */
const READING = `
const bar = document.querySelector('form[data-reading]')
const end = document.getElementById('arguments-end')
if (bar && end) {
  const allow = [...bar.querySelectorAll('button:not([value="deny"]):not([data-continue])')]
  const rest = [...bar.querySelectorAll('[data-continue]')]
  const isRead = () => end.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top + 1
  const setDisabled = (isDisabled) => {
    for (const one of allow) one.disabled = isDisabled
  }
  const check = () => {
    if (!isRead()) return
    removeEventListener('scroll', check)
    removeEventListener('resize', check)
    // To the end of the arguments and not to a button: a second press of Enter must not allow the call.
    if (rest.includes(document.activeElement)) end.focus({ preventScroll: true })
    for (const one of rest) one.hidden = true
    setTimeout(setDisabled, ${DOUBLE_CLICK_MS}, false)
  }
  if (!isRead()) {
    setDisabled(true)
    for (const one of rest) {
      one.hidden = false
      one.addEventListener('click', () => scrollBy({ top: Math.max(bar.getBoundingClientRect().top - 64, 64) }))
    }
    addEventListener('scroll', check, { passive: true })
    addEventListener('resize', check)
    check()
  }
}
`

/**
 * The only script of the hosted pages. The content security policy of the page names the hash of this text, so that no
 * other script runs. Without scripts the page says how much time was left when it was opened.
 */
export const APPROVAL_SCRIPT = `{${READING}}\n{${COUNTDOWN}}`
