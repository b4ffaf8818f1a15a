// Whose words a convention speaks: the first part of its id.

const PLATFORMS = {
  wwdc: 'WWDC 2018',
  physical: 'Physics',
  uikit: 'UIKit',
  swiftui: 'SwiftUI',
  coreanimation: 'Core Animation',
  android: 'Android',
  compose: 'Jetpack Compose',
  flutter: 'Flutter',
  reactspring: 'react-spring',
  motion: 'Motion',
  reactnative: 'React Native',
  origami: 'Origami, Rebound',
  reanimated: 'Reanimated',
  anime: 'anime.js',
};

/** The platform of a convention; one that this page does not know yet is called by its id. */
export function platformOf(id) {
  const [prefix] = id.split('.');
  return PLATFORMS[prefix] ?? prefix;
}
