// The tracks of the bar's parts, as ranges of AirBar's `value(compactNormalRange:normalExpandedRange:)`. The service
// evaluates them with every event. The style sheet uses `title.alpha` as `--title-alpha`.

export const tracks = {
  'background.alpha': { compactNormalRange: { range: [0, 1] }, normalExpandedRange: { value: 1 } },
  'search.alpha': { compactNormalRange: { range: [-0.6, 1] }, normalExpandedRange: { range: [1, -1] } },
  'search.shift': { compactNormalRange: { range: [-18, 0] }, normalExpandedRange: { range: [0, 22] } },
  'rows.alpha': { compactNormalRange: { value: 0 }, normalExpandedRange: { range: [-0.7, 1] } },
  'rows.shift': { compactNormalRange: { value: -26 }, normalExpandedRange: { range: [-26, 0] } },
  'shadow.alpha': { keyframes: [{ progress: 0, value: 1 }, { progress: 0.5, value: 0.2 }, { progress: 1, value: 0 }] },
};
