import BarLayout
import SpringbarClient
import UIKit

/// A table below a bar, in UIKit.
final class FeedController: UIViewController, UITableViewDataSource {
    private let table = UITableView(frame: .zero)
    private let barView = UIView(frame: .zero)
    private var follower: BarFollower?

    override func viewDidLoad() {
        super.viewDidLoad()
        table.frame = view.bounds
        table.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        table.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
        table.dataSource = self
        barView.backgroundColor = .systemIndigo
        barView.autoresizingMask = .flexibleWidth
        view.addSubview(table)
        view.addSubview(barView)

        // The session: the bar follows the table from here on.
        follower = BarFollower(scrollView: table, configuration: .example, service: .example)
        follower?.onChange = { [barView, table] result, _ in
            barView.frame = CGRect(x: 0, y: 0, width: table.frame.width, height: CGFloat(result.state.height))
            barView.alpha = CGFloat(0.6 + 0.2 * result.state.transitionProgress)
        }
    }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 100 }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
        cell.textLabel?.text = "Row \(indexPath.row)"
        return cell
    }
}
