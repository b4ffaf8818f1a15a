// On a small screen the phone is above the time travel. While that is used, a small copy of its picture would be another
// bar to keep right, so the phone itself is made small and stays on the screen.

/** Makes `device` small while it is off the screen and `travel` is on it. */
export function smallPhone(device, travel) {
  const place = device.parentElement;
  const isSeen = new Map([[place, true], [travel, false]]);
  const isNarrow = matchMedia('(max-width: 759px)');

  function arrange() {
    const isSmall = isNarrow.matches && !isSeen.get(place) && isSeen.get(travel);
    if (isSmall === place.classList.contains('has-small-phone')) return;
    // The phone keeps its size, which is that of its lists' frames; it is only drawn smaller.
    const { width, height } = place.getBoundingClientRect();
    if (isSmall) {
      place.style.setProperty('--height', `${height}px`);
      place.style.setProperty('--width', `${device.offsetWidth}px`);
    }
    place.classList.toggle('has-small-phone', isSmall && width > 0);
  }

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) isSeen.set(target, isIntersecting);
    arrange();
  });
  for (const element of [place, travel]) observer.observe(element);
  isNarrow.addEventListener('change', arrange);
}
