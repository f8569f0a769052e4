/**
 * The only script of the hosted pages: it writes each `<time data-countdown>` as the time that is left, with the end in
 * the time zone and the format of the reader. Without scripts the page says how much time was left when it was opened.
 * The content security policy of the page names the hash of this text, so that no other script runs.
 */
export const COUNTDOWN_SCRIPT = `
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
